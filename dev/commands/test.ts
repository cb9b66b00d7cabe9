import { runChecks } from './check.ts'
import { listDurableChanges } from '../durable-changes.ts'
import { print } from '../say.ts'
import { closeSuite, runVitest } from '../suite.ts'

const projects = ['--project', 'test', '--project', 'replaying']

/** `npm test`: runs the checks and all tests, or only the test files (of any suite) that the arguments name. */
export async function main(args: string[]): Promise<void> {
  if (args.length > 0) {
    closeSuite('test', await runVitest(args))
    return
  }
  const lines: string[] = []
  const [outcome, failedChecks] = await Promise.all([runVitest(projects), runChecks((line) => lines.push(line))])
  for (const line of lines) print(line)
  const changes = await listDurableChanges()
  if (changes.length > 0) print(`This change affects ${changes.join(', ')}: also run \`npm run proof\`.`)
  closeSuite('test', {
    ...outcome,
    code: outcome.code === 0 && failedChecks.length > 0 ? 1 : outcome.code,
    failures: [...outcome.failures, ...failedChecks.map((check) => `check: ${check}`)],
  })
}
