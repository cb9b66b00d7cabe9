import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/closing-line.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    reporters: ['default', new ClosingLine()],
    // Each file has its own API, worker and database: as many at once as a small machine can run in time.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
})
