import type { Reporter, TestModule } from 'vitest/node'

/** How many tests of a run passed and failed; told to the command that started the run, else printed. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    // A file that does not load has no tests, and an error outside of tests belongs to none: each counts as one failure.
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length
    const outcome = { passed, failed: failed + brokenFiles + errors.length }
    if (process.send) process.send(outcome)
    else process.once('exit', () => console.log(`${outcome.passed} passed, ${outcome.failed} failed`))
  }
}
