#!/usr/bin/env node
import { existsSync } from 'node:fs'

const bundle = new URL('../dist/main.js', import.meta.url)
if (existsSync(bundle)) {
  await import(bundle.href)
} else {
  process.stderr.write('goatfied: dist/ is missing; run "npm run build" (or "npm start") in the checkout first.\n')
  process.exitCode = 2
}
