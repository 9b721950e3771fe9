const EVERY_MS = 1000

/** Passes on the last line that came, about once a second, so that a person sees that a check is alive. */
export function reportProgress(report: (line: string) => void): { line(text: string): void; end(): void } {
  let latest = ''
  const timer = setInterval(() => {
    if (latest !== '') report(latest)
    latest = ''
  }, EVERY_MS)
  return {
    line(text) {
      if (text.trim() !== '') latest = text.trim()
    },
    end() {
      clearInterval(timer)
    },
  }
}
