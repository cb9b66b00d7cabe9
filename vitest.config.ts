import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLine } from './test/closing-line.ts'

// A process loads the modules once for all its files: to do so for each file took a sixth of the time.
const shared = { testTimeout: 300_000, hookTimeout: 300_000, teardownTimeout: 30_000, isolate: false }

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
      {
        // Workflows share the thread of their test: to start one for them takes longer than most tests. Workers that
        // are processes of their own, and those of the other project, have it.
        test: { name: 'all', include: ['test/**/*.test.ts'], env: { TEMPORAL_DEBUG: '1' }, ...shared },
      },
      {
        // The tests that run workflows, once more on workers that replay each workflow at every task.
        test: {
          name: 'replaying',
          include: ['test/chat/*.test.ts', 'test/provision.test.ts', 'test/sandbox.test.ts'],
          // What is about models, readers, limits and networks takes the same ways through the workflows as the others.
          exclude: [
            ...configDefaults.exclude,
            'test/chat/{models,network,resume,sub-agent-limits,sub-agent-model}.test.ts',
          ],
          env: { WORKFLOW_CACHE: '0' },
          ...shared,
        },
      },
    ],
  },
})
