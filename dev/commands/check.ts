import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { print, type Print } from '../say.ts'

type Outcome = { failed: boolean; output: string }

// compose.yaml lists its services in start order, and one service builds the image that the other services use.
const disabledRules = ['services-alphabetical-order', 'service-keys-order', 'no-build-and-image'].flatMap((rule) => [
  '--disable-rule',
  rule,
])

const checks: { name: string; run: () => Promise<Outcome> }[] = [
  { name: 'types and lint', run: () => runTool('oxlint', ['--type-aware', '--type-check', '--deny-warnings']) },
  { name: 'format', run: () => runTool('oxfmt', ['--check']) },
  { name: 'unused code', run: () => runTool('knip', []) },
  { name: 'Dockerfile', run: () => runTool('dockerfile-utils', ['lint', 'Dockerfile']) },
  { name: 'compose', run: () => runTool('dclint', ['compose.yaml', '--max-warnings=0', ...disabledRules]) },
]

/** Runs all checks, prints the output of failed checks and returns their names. */
export async function runChecks(show: Print = print): Promise<string[]> {
  const failed: string[] = []
  for (const { name, run } of checks) {
    const startedAt = performance.now()
    const outcome = await run()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    show(`${outcome.failed ? 'FAIL' : 'ok  '} ${name} (${seconds} s)`)
    if (!outcome.failed) continue
    failed.push(name)
    show(outcome.output.trim())
  }
  return failed
}

export async function main(): Promise<void> {
  const failed = await runChecks()
  if (failed.length > 0) process.exitCode = 1
}

function runTool(name: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(join('node_modules', '.bin', name), args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('error', (error) => resolve({ failed: true, output: error.message }))
    child.once('close', (code) => resolve({ failed: code !== 0, output }))
  })
}
