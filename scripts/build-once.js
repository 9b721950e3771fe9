// Vitest's global setup: the end-to-end tests start the built program, so it has to be that of the sources.
import path from 'node:path'
import { buildBundle } from './build.js'

export default () =>
  buildBundle({ root: path.join(import.meta.dirname, '..'), entry: 'src/cli/main.ts', outDir: 'dist' })
