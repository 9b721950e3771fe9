// Writes goatfiedrc.schema.json from the settings table in src/config/schema.ts.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.join(import.meta.dirname, '..')
const file = path.join(root, 'goatfiedrc.schema.json')

const { outputFiles } = await build({
  entryPoints: [path.join(root, 'src/config/schema.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
})
const code = outputFiles[0]?.text ?? ''
const { repositorySchema } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)

writeFileSync(file, JSON.stringify(repositorySchema(), null, 2))
execFileSync(process.execPath, [path.join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', file], {
  stdio: 'inherit',
})
