import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/cost/closing-line.ts'
import { CostliestFirst } from './test/cost/order.ts'
import { CostReporter } from './test/cost/reporter.ts'

const shared = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 30_000,
  // A test that fails is repeated once; the last lines of the run list those that then pass.
  retry: 1,
  // A process loads the modules once for all its files: to do so for each file took a sixth of the time.
  isolate: false,
  setupFiles: ['test/cost/measure.ts', 'test/setup/real-timers.ts'],
}

/** Workflows share the thread of their test: to start one for them takes longer than most tests. */
const inThread = { TEMPORAL_DEBUG: '1' }
const replaying = 'test/workflows/replaying.test.ts'

/** Shows the same of each sandbox driver: of the usual one after every change, of the others in the proof. */
const driverTests = [
  'test/tools/{agent-tools,search,skills}.test.ts',
  'test/sandboxes/personal/setup.test.ts',
  'test/providers/sandbox/driver.test.ts',
]

/** Run on each code host that the API serves: locally after every change or in the proof, and on `store` in the proof. */
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
    // Kept beside the packages, by content: the proof behind the tests finds what they have compiled.
    experimental: { fsModuleCache: true },
    // Each file has its own API, worker and database, and waits a third of its time: so many keep two cores busy.
    pool: 'forks',
    maxWorkers: 4,
    sequence: { sequencer: CostliestFirst },
    ...shared,
    projects: [
      // What a person runs after a change.
      { test: { name: 'test', include: ['test/**/*.test.ts'], exclude: [replaying], env: inThread, ...shared } },
      // On workers that have a thread for workflows, as deployed ones do.
      { test: { name: 'replaying', include: [replaying], ...shared } },
      // Kills, pressure, deploys, all drivers and all clients.
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
