// Vitest's global setup: the end-to-end tests start the built program, so it has to be that of the sources.
export { buildProgram as default } from './build.js'
