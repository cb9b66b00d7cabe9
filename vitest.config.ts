import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/cost/closing-line.ts'
import { CostliestFirst } from './test/cost/order.ts'
import { CostReporter } from './test/cost/reporter.ts'

const shared = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 30_000,
  // A failed test is repeated once. The last lines of the run list the tests that pass only when repeated.
  retry: 1,
  // A process loads the modules once for all its files. Loading them for each file took a sixth of the time.
  isolate: false,
  setupFiles: ['test/cost/measure.ts', 'test/setup/real-timers.ts'],
}

/** Runs workflows in the thread of their test, because starting a thread for them takes longer than most tests. */
const inThread = { TEMPORAL_DEBUG: '1' }
const replaying = 'test/workflows/replaying.test.ts'

/** Tests of every sandbox driver: the default driver in `npm test`, and the other drivers in `npm run proof`. */
const driverTests = [
  'test/tools/{agent-tools,search,skills}.test.ts',
  'test/sandboxes/personal/setup.test.ts',
  'test/providers/sandbox/driver.test.ts',
]

/**
 * Tests of every code host that the API serves: the local code host in `npm test` or `npm run proof`, and `store` in
 * `npm run proof`.
 */
const repositoryTests = [
  'test/repositories/{git-http,turn,work-tree}.test.ts',
  'test/sandboxes/bases.proof.ts',
  'test/security/repositories/git-names.proof.ts',
]

export default defineConfig({
  test: {
    // One Postgres and one Temporal for all projects.
    globalSetup: ['test/world/global-setup.ts'],
    reporters: ['default', new ClosingLine(), new CostReporter()],
    // Caches compiled modules by content in node_modules, so that `npm run proof` reuses the modules of `npm test`.
    experimental: { fsModuleCache: true },
    // Each file has its own API, worker and database, and waits a third of its time. Four workers keep two cores busy.
    pool: 'forks',
    maxWorkers: 4,
    sequence: { sequencer: CostliestFirst },
    ...shared,
    projects: [
      // The tests of `npm test`.
      { test: { name: 'test', include: ['test/**/*.test.ts'], exclude: [replaying], env: inThread, ...shared } },
      // Workers run workflows in a separate thread, as deployed workers do. Part of `npm test`.
      { test: { name: 'replaying', include: [replaying], ...shared } },
      // The tests of `npm run proof`: kills, load, deploys, all drivers and all clients.
      {
        test: {
          name: 'proof',
          include: ['test/**/*.proof.ts', ...driverTests],
          env: { ...inThread, SUITE: 'proof' },
          ...shared,
        },
      },
      {
        test: { name: 'store', include: repositoryTests, env: { ...inThread, TEST_CODE_HOST: 'store' }, ...shared },
      },
    ],
  },
})
