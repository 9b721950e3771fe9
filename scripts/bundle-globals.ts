// What the bundle uses in the place of Node's globals of these names, whose first use loads all of Node's own HTTP client.
export { Headers } from '../src/model/headers.ts'

/** Nothing is one: files are never sent. */
export class FormData {}
