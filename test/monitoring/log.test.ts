import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const module = fileURLToPath(new URL('../../api/monitoring/log.ts', import.meta.url))

/** Returns the log lines of a process that runs this code with a logger. */
const readLog = async (work: string): Promise<Record<string, unknown>[]> => {
  const program = `import { createLogger } from ${JSON.stringify(module)}; const log = createLogger('info'); ${work}`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    program,
  ])
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('lines are complete and in order, including those written immediately before the process exits', async () => {
  const lines = await readLog(`
    for (let at = 0; at < 500; at++) log.info({ at }, 'before')
    setTimeout(() => {
      log.info({ at: 500 }, 'later')
      log.info({ at: 501, headers: { authorization: 'Bearer secret' } }, 'last')
      process.exit(0)
    }, 50)`)
  expect(lines.map(({ at }) => at)).toEqual(Array.from({ length: 502 }, (_, at) => at))
  expect(lines[0]).toMatchObject({ part: 'api', msg: 'before' })
  expect(lines[501]).toMatchObject({ headers: { authorization: '[Redacted]' } })
})
