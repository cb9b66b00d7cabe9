import type { Reporter, TestModule } from 'vitest/node'

/** Ends the output with `N passed, N failed`, alone on its line, for machines that count. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    // A file that does not load has no tests, and an error outside of tests belongs to none: each counts as one failure.
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length
    process.once('exit', () => console.log(`${passed} passed, ${failed + brokenFiles + errors.length} failed`))
  }
}
