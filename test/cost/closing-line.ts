import type { Reporter, TestModule } from 'vitest/node'

/**
 * Counts the passed and failed tests of a run and reports them to the command that started it, or else prints them.
 * Lists tests that failed once and passed when they were repeated: each of them is a fault, of the test or the product.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    const flaky = tests.filter((test) => test.diagnostic()?.flaky)
    if (flaky.length > 0) {
      console.log(`\n${flaky.length} passed only when repeated:`)
      for (const test of flaky) {
        console.log(`  ${test.module.relativeModuleId} > ${test.fullName}`)
        for (const { message } of test.result().errors ?? []) console.log(`    ${message.slice(0, 500)}`)
      }
    }
    // A file that does not load has no tests, and an error outside of tests belongs to none: each counts as one failure.
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length
    const outcome = { passed, failed: failed + brokenFiles + errors.length }
    if (process.send) process.send(outcome)
    else process.once('exit', () => console.log(`${outcome.passed} passed, ${outcome.failed} failed`))
  }
}
