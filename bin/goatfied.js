#!/usr/bin/env node
// Not by `import`, which would load all that belongs to the file system module, streams included, before it is needed.
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')

const [, , first, ...rest] = process.argv
const bundle = new URL('../dist/main.js', import.meta.url)
if ((first === '--version' || first === '-V') && rest.length === 0) {
  // The commonest question is answered before anything is loaded.
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else if (existsSync(bundle)) {
  // Newer Node keeps compiled code between starts, in a folder of its own among the temporary files.
  process.getBuiltinModule('node:module').enableCompileCache?.()
  await import(bundle.href)
} else {
  process.stderr.write('goatfied: dist/ is missing; run "npm run build" (or "npm start") in the checkout first.\n')
  process.exitCode = 2
}
