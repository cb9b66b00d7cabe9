import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { runChecks } from './check.ts'
import { say } from './say.ts'

const runVitest = (args: string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], {
      stdio: 'inherit',
    })
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => child.kill(name))
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)))
  })

/** Who names tests means them once, and not the second pass. */
const oncePerName = (args: string[]): string[] =>
  args.length === 0 || args.some((arg) => arg.startsWith('--project')) ? args : [...args, '--project', 'all']

/** Every check and every test, also when a check fails; with arguments only the tests that they name. */
export const main = async (args: string[]): Promise<void> => {
  const failed = args.length > 0 ? [] : await runChecks()
  if (failed.length > 0) say(`Checks failed: ${failed.join(', ')}. The tests run nevertheless.`)
  const code = await runVitest(oncePerName(args))
  process.exitCode = code === 0 && failed.length > 0 ? 1 : code
}
