import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLine } from './test/closing-line.ts'

// A process loads the modules once for all its files: to do so for each file took a sixth of the time.
const shared = { testTimeout: 60_000, hookTimeout: 90_000, teardownTimeout: 30_000, isolate: false }

export default defineConfig({
  test: {
    // One Postgres and one Temporal for both projects.
    globalSetup: ['test/global-setup.ts'],
    reporters: ['default', new ClosingLine()],
    // Each file has its own API, worker and database: as many at once as a small machine can run in time.
    pool: 'forks',
    maxWorkers: 2,
    ...shared,
    projects: [
      { test: { name: 'all', include: ['test/**/*.test.ts'], ...shared } },
      {
        // The tests that run workflows, once more on workers that replay each workflow at every task.
        test: {
          name: 'replaying',
          include: ['test/chat/*.test.ts', 'test/provision.test.ts', 'test/sandbox.test.ts', 'test/tools.test.ts'],
          // What is about models, limits and networks takes the same ways through the workflows as the others.
          exclude: [...configDefaults.exclude, 'test/chat/{models,network,sub-agent-limits,sub-agent-model}.test.ts'],
          env: { WORKFLOW_CACHE: '0' },
          ...shared,
        },
      },
    ],
  },
})
