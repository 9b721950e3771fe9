/**
 * A reporter for `node --test`, as a module of its own: one line of JSON an event. Of Node's own formats, TAP names no
 * file for a test that passes, and JUnit does so in newer versions only.
 */
export const NODE_TEST_REPORTER = `
const wanted = new Set(['test:start', 'test:pass', 'test:fail', 'test:stderr'])
const words = (error) => {
  const cause = error?.cause ?? error
  return typeof cause === 'object' && cause !== null ? String(cause.stack ?? cause.message ?? cause) : String(cause ?? '')
}
export default async function* (events) {
  for await (const { type, data } of events) {
    const late = type === 'test:diagnostic' && /^\\w*Error: /.test(data.message)
    if (!late && !wanted.has(type)) continue
    const { name, nesting, file, message, details, skip, todo } = data
    yield JSON.stringify({
      type, name, nesting, file, message,
      skip: skip !== undefined && skip !== false,
      todo: todo !== undefined && todo !== false,
      suite: details?.type === 'suite',
      failureType: details?.error?.failureType,
      error: details?.error && words(details.error),
    }) + '\\n'
  }
}
`
