import os from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.{ts,js}'],
    exclude: ['node_modules/**', 'dist/**', 'fixtures/**'],
    globalSetup: 'scripts/build-once.js',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests run real git: neither the user's nor the machine's configuration may decide how they end.
    env: { GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' },
  },
})
