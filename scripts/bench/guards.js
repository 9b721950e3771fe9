// What guards are worth: three arms over the real loop, played by a simulated model, or by a small real one with --gguf.
// Options: --sessions <n>, --calls <n>, --faults <p>, --seed <n>, --svg <file>, --json; --gguf <file>, --recoveries <n>,
// --packages <folder>. The bench is in TypeScript, which Node 20 can't run: it is bundled first.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = path.join(import.meta.dirname, '../..')
// Within the checkout, so that packages and prompts are found from there.
const outfile = path.join(root, 'node_modules/.cache/goatfied/guards.mjs')
mkdirSync(path.dirname(outfile), { recursive: true })
await build({
  absWorkingDir: root,
  entryPoints: ['scripts/bench/guards-main.ts'],
  outfile,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
})
const { main } = await import(pathToFileURL(outfile).href)
process.exitCode = await main(process.argv.slice(2))
