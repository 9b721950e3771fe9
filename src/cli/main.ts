import { version } from './version.ts'

// The commonest question is answered before anything is loaded.
const [first] = process.argv.slice(2)
if (process.argv.length === 3 && (first === '--version' || first === '-V')) {
  process.stdout.write(`${version}\n`)
} else {
  const { main } = await import('./program.ts')
  await main(process.argv)
}
