import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { machineEnvironment } from '../crash/cluster/parts.ts'
import { installNode } from '../peers/installed.ts'
import type { SharedStack } from '../world/global-setup.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Tests of the domain rules, of request dispatch and of turns on a worker. */
const testFiles = [
  'test/domain/',
  'test/http/dispatch.test.ts',
  'test/http/idempotency.test.ts',
  'test/chat/runs.test.ts',
]

/** Runs the test files with another version of Node on the servers of this test run. */
const runTests = async (node: string): Promise<Report> => {
  const stack: SharedStack = {
    postgresUrl: inject('postgresUrl'),
    applicationUrl: inject('applicationUrl'),
    templateDatabase: inject('templateDatabase'),
    temporalAddress: inject('temporalAddress'),
    temporalHttpAddress: inject('temporalHttpAddress'),
    built: inject('built'),
    serverPids: inject('serverPids'),
  }
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const options = ['run', '--project=test', '--reporter=json', '--maxWorkers=1']
  const { stdout }: { stdout: string } = await run(node, [vitest, ...options, ...testFiles], {
    cwd: root,
    env: { ...machineEnvironment(), SHARED_STACK: JSON.stringify(stack) },
    maxBuffer: 64 * 1024 ** 2,
  }).catch((error: { stdout: string }) => error)
  return JSON.parse(stdout.slice(stdout.indexOf('{"'))) as Report
}

test.for([22, 24])('the tests of the domain, of HTTP and of turns pass on Node %i', async (major, { skip }) => {
  const node = (await installNode(String(major))) ?? skip(`Node ${major} cannot be installed`)
  expect((await run(node, ['--version'])).stdout).toMatch(new RegExp(`^v${major}\\.`))
  const report = await runTests(node)
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)).toEqual([])
  expect(report.success).toBe(true)
  expect(report.numPassedTests).toBeGreaterThan(1000)
})

type Report = {
  success: boolean
  numPassedTests: number
  testResults: { assertionResults: { fullName: string; status: string }[] }[]
}
