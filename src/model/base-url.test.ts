import { expect, it } from 'vitest'
import { ask, connectChat, connectOpenAi, withServer } from './testing.ts'

it.each([
  ['', ''],
  ['/v1', '/v1'],
  ['/v1/', '/v1'],
  ['/v1//', '/v1'],
  ['/v1#part', '/v1'],
  ['/v1/chat/completions', '/v1'],
  ['/v1/responses/', '/v1'],
  ['/openai?api-version=2', '/openai', '?api-version=2'],
])('a base URL that ends in "%s" is the beginning of the address', async (given, path, query = '') => {
  const asked: (string | undefined)[] = []
  await withServer(
    ({ url }, response) => {
      asked.push(url)
      response.writeHead(400).end()
    },
    async (url) => {
      await ask(await connectChat('', { baseUrl: `${url}${given}` }))
      await ask(await connectOpenAi('', { baseUrl: `${url}${given}` }))
    },
  )
  expect(asked).toEqual([`${path}/chat/completions${query}`, `${path}/responses${query}`])
})
