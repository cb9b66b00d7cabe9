import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { print } from './say.ts'
import { openScratch } from './system/scratch.ts'

/** `failures`: the name of each failed test, with the first line of its message. */
export type SuiteOutcome = { code: number; passed: number; failures: string[] }

/** Runs vitest with these arguments and a separate folder for all its files. Forwards signals to vitest. */
export async function runVitest(args: string[], env: NodeJS.ProcessEnv = {}): Promise<SuiteOutcome> {
  const scratch = await openScratch()
  try {
    return await launchVitest(args, { TMPDIR: scratch.folder, ...env })
  } finally {
    await scratch.close()
  }
}

function launchVitest(args: string[], env: NodeJS.ProcessEnv): Promise<SuiteOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    })
    let tests: Omit<SuiteOutcome, 'code'> = { passed: 0, failures: [] }
    child.on('message', (message) => (tests = message as typeof tests))
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => child.kill(name))
    child.once('error', reject)
    child.once('close', (code, signal) =>
      resolve({ ...tests, code: signal ? 128 + constants.signals[signal] : (code ?? 1) }),
    )
  })
}

/** Lists the failures, prints the last line of a suite in a fixed, machine-readable format, and sets the exit code. */
export function closeSuite(name: string, { code, passed, failures }: SuiteOutcome): void {
  if (failures.length > 0) print(`\nFailed:\n${failures.join('\n')}\n`)
  // A failure without a failed test, such as a file that exceeds its budget, counts as one failed test.
  print(`${name}: ${passed} passed, ${Math.max(failures.length, code === 0 ? 0 : 1)} failed`)
  process.exitCode = code
}
