// What stands here is loaded under a fixed name; all else under names that change with the text.
void start()

async function start(): Promise<void> {
  const { main } = await import('./program.ts')
  await main(process.argv)
}
