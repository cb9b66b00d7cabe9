import type { Reporter, TestModule } from 'vitest/node'

const readFirstLine = (message: string): string => message.split('\n', 1)[0]!.slice(0, 200)
const describeFailure = (name: string, messages: readonly { message: string }[] = []): string =>
  [name, ...messages.slice(-1).map(({ message }) => `  ${readFirstLine(message)}`)].join('\n')

/**
 * Reports the numbers of passed and failed tests to the command that started the run, or prints them. Lists flaky
 * tests, which failed and passed when retried. Each flaky test indicates a bug in the test or the product.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed')
    const flaky = tests.filter((test) => test.diagnostic()?.flaky)
    if (flaky.length > 0) {
      console.log(`\n${flaky.length} passed only after a retry:`)
      for (const test of flaky) {
        console.log(`  ${test.module.relativeModuleId} > ${test.fullName}`)
        for (const { message } of test.result().errors ?? []) console.log(`    ${message.slice(0, 500)}`)
      }
    }
    // A file that does not load and an error outside a test each count as one failure.
    const broken = modules.filter((module) => module.errors().length > 0)
    const failures = [
      ...failed.map((test) =>
        describeFailure(`${test.module.relativeModuleId} > ${test.fullName}`, test.result().errors),
      ),
      ...broken.map((module) => describeFailure(module.relativeModuleId, module.errors())),
      ...errors.map((error) => describeFailure('outside a test', [{ message: String(error) }])),
    ]
    if (process.send) process.send({ passed, failures })
    else process.once('exit', () => console.log(`${passed} passed, ${failures.length} failed`))
  }
}
