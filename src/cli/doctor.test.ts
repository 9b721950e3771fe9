import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bed, PROJECT, repository, temporaryFolder } from './testing.ts'

const findings = (stdout: string) =>
  (JSON.parse(stdout) as readonly { about: string; status: string; text: string }[]).map(({ about, status, text }) => [
    about,
    status,
    text,
  ])

it('finds what a run here would find, and calls the model once', async () => {
  const root = repository(PROJECT)
  const { run, requests } = await bed(() => [{ call: 'choose', input: { choice: 'zq7-vexil' } }])
  const ended = await run(['doctor', '-C', root, '--json'])
  expect([ended.exitCode, requests.length]).toEqual([0, 1])
  expect(findings(ended.stdout)).toEqual([
    ['node', 'ok', process.versions.node],
    ['git', 'ok', expect.stringMatching(/^git version \d/)],
    ['repository', 'ok', root],
    ['tests', 'ok', 'node --test'],
    ['settings', 'ok', 'defaults'],
    ['provider', 'ok', expect.stringMatching(/^anthropic at http:\/\/127\.0\.0\.1:\d+, a key of 8 characters$/)],
    ['model', 'ok', 'anthropic/claude-opus-5-5 answers, and keeps to the schema'],
  ])
})

it('says when nothing holds the model to its schema', async () => {
  const root = repository(PROJECT)
  const { run } = await bed(() => [{ call: 'choose', input: { choice: 'blue' } }])
  const ended = await run(['doctor', '-C', root])
  expect([ended.exitCode, ended.stdout.trim().split('\n').at(-1)]).toEqual([
    0,
    '! model: anthropic/claude-opus-5-5 answers, but leaves the schema: guards rely on the check before a call runs',
  ])
})

it.each([
  ['tool', ['ok', "the schema of a tool binds the model's call while it is made"]],
  [
    'response_format',
    ['ok', 'a response format binds the answer, the schema of a tool does not: corrections are asked for by format'],
  ],
  ['nothing', ['warning', 'nothing binds the model: guards rely on the check before a call runs']],
])('says of a server of its own kind what it enforces: %s', async (binds, [status, text]) => {
  const root = repository(PROJECT)
  const { run, url } = await bed(({ body }) => {
    const bound = binds === (body.response_format === undefined ? 'tool' : 'response_format')
    const asked = JSON.stringify(body).includes('recordChoice')
    return asked
      ? [{ call: 'recordChoice', input: { choice: bound ? 'vorpal-7' : 'yes' } }]
      : [{ call: 'choose', input: { choice: 'zq7-vexil' } }]
  })
  const server = ['-m', 'compatible/x', '--base-url', `${url}/v1?key=of-mine`]
  const ended = await run(['doctor', '-C', root, '--json', ...server])
  expect(ended.exitCode).toBe(0)
  expect(findings(ended.stdout).slice(-3)).toEqual([
    ['provider', 'ok', `compatible at ${url}/v1, no key`],
    ['model', 'ok', 'compatible/x answers, and keeps to the schema'],
    ['enforcement', status, text],
  ])
})

it('ends with the code of what a run would trip over', async () => {
  const broken = repository(PROJECT)
  writeFileSync(path.join(broken, '.goatfiedrc.json'), '{ "modle": 1 }')
  const { run } = await bed(() => ({
    fault: { status: 401, errorType: 'authentication_error', message: 'invalid x-api-key' },
  }))
  const codes = [
    await run(['doctor', '-C', temporaryFolder('empty')]),
    await run(['doctor', '-C', broken]),
    await run(['doctor', '-C', repository({ 'package.json': '{}' })]),
    await run(['doctor', '-C', repository(PROJECT)]),
  ]
  expect(codes.map(({ exitCode }) => exitCode)).toEqual([2, 52, 54, 41])
})
