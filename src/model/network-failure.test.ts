import { expect, it } from 'vitest'
import { networkFailure } from './network-failure.ts'

const coded = (code: string) => Object.assign(new Error('secret text'), { code })
const wrapped = (cause: unknown) => new Error('Connection error.', { cause: new TypeError('fetch failed', { cause }) })

it.each([
  ['ENOTFOUND', "the name of api.test:443 can't be resolved (ENOTFOUND): no network, or a wrong base URL?"],
  ['EAI_AGAIN', "the name of api.test:443 can't be resolved (EAI_AGAIN): no network, or a wrong base URL?"],
  ['ECONNREFUSED', 'api.test:443 refuses the connection (ECONNREFUSED): nothing listens there'],
  ['UND_ERR_SOCKET', 'api.test:443 closed the connection (UND_ERR_SOCKET)'],
  ['UND_ERR_CONNECT_TIMEOUT', 'api.test:443 does not answer in time (UND_ERR_CONNECT_TIMEOUT)'],
  ['EHOSTUNREACH', 'there is no route to api.test:443 (EHOSTUNREACH)'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    "no trusted TLS connection to api.test:443 (SELF_SIGNED_CERT_IN_CHAIN): a proxy's certificate may be missing (NODE_EXTRA_CA_CERTS)",
  ],
  [
    'EPROTO',
    'no trusted TLS connection to api.test:443 (EPROTO): does it speak TLS there, or is it http instead of https?',
  ],
  [
    'HPE_INVALID_CONSTANT',
    'api.test:443 answers with what is not HTTP (HPE_INVALID_CONSTANT): is the base URL right, and is it http or https there?',
  ],
  ['EWHATEVER', 'the connection to api.test:443 failed (EWHATEVER)'],
])('%s is told in words', (code, reason) => {
  expect(networkFailure(wrapped(coded(code)), 'api.test:443')).toEqual({ kind: 'provider.transient', reason })
})

it('finds the cause among those of several addresses', () => {
  const several = new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')])
  expect(networkFailure(wrapped(several), 'api.test:443')).toEqual({
    kind: 'provider.transient',
    reason: 'api.test:443 refuses the connection (ECONNREFUSED): nothing listens there',
  })
})

it.each([[new Error('a defect')], ['text'], [undefined]])('%s is no sign of a connection', (error) => {
  expect(networkFailure(error, 'api.test:443')).toBeUndefined()
})
