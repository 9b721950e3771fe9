import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkEnvironment } from './environment.ts'

test('no watching, no colours, no keys, nothing of a hook or of the runner that runs us; local binaries come first', () => {
  const current = {
    PATH: '/usr/bin',
    HOME: '/home/x',
    ANTHROPIC_API_KEY: 'secret',
    GROQ_API_KEY: 'secret',
    GOATFIED_MODEL: 'x',
    OTHER_API_KEY: 'of the repository',
    FORCE_COLOR: '1',
    GIT_DIR: '/repo/.git',
    GIT_INDEX_FILE: 'index',
    npm_lifecycle_event: 'start',
    npm_config_registry: 'https://registry.example.org',
    VITEST: 'true',
    VITEST_POOL_ID: '1',
    NODE_TEST_CONTEXT: 'child-v8',
  }
  expect(checkEnvironment(current, '/repo/packages/a', '/repo')).toEqual({
    CI: '1',
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    ANTHROPIC_API_KEY: undefined,
    GROQ_API_KEY: undefined,
    GOATFIED_MODEL: undefined,
    GIT_DIR: undefined,
    GIT_INDEX_FILE: undefined,
    npm_lifecycle_event: undefined,
    VITEST: undefined,
    VITEST_POOL_ID: undefined,
    NODE_TEST_CONTEXT: undefined,
    PATH: [
      ...['/repo/packages/a', '/repo/packages', '/repo'].map((folder) => join(folder, 'node_modules', '.bin')),
      dirname(process.execPath),
      '/usr/bin',
    ].join(delimiter),
  })
})
