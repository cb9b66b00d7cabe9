import { expect, it } from 'vitest'
import { formatLogLine } from '../../dev/processes/node-part.ts'
import { launch, waitFor, type LaunchedProcess } from '../../dev/processes/processes.ts'
import { pauseAfter, supervise } from '../../dev/processes/supervise.ts'

const startSleep = async (onLaunch: (launched: LaunchedProcess) => void): Promise<LaunchedProcess> => {
  const launched = await launch({
    command: ['sleep', '60'],
    env: {},
    stdio: 'ignore',
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: 2000 }],
  })
  onLaunch(launched)
  return launched
}

it.each([
  [1, 0],
  [2, 250],
  [3, 500],
  [7, 8000],
  [8, 10_000],
  [100, 10_000],
])('the restart after death %i within a minute waits %i ms', (deaths, pauseMs) => {
  expect(pauseAfter(deaths)).toBe(pauseMs)
})

it('a part that dies is restarted and reported until it is stopped', async () => {
  const pids: number[] = []
  const lines: string[] = []
  const part = supervise(
    { name: 'sleeper', start: startSleep },
    ({ pid }) => pids.push(pid),
    (line) => lines.push(line),
  )
  await part.ready
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await waitFor(() => lines.length === 2, 60_000)
  expect(lines).toEqual(['sleeper died (signal SIGKILL): restarting.', 'sleeper was restarted.'])
  await part.stop()
  expect(pids).toHaveLength(2)
  expect(pids.filter((pid) => isAlive(pid))).toEqual([])
})

it.each([
  { when: 'dies after its start', settledMs: 0, pauses: [] },
  { when: 'dies during its start', settledMs: Infinity, pauses: [1, 2, 3] },
])('a part that repeatedly $when is restarted with $pauses.length pauses', async ({ settledMs, pauses }) => {
  const pids: number[] = []
  const lines: string[] = []
  const deathCounts: number[] = []
  const pauseBetween = (deaths: number): number => deathCounts.push(deaths) && 0
  const part = supervise(
    { name: 'sleeper', start: startSleep },
    ({ pid }) => pids.push(pid),
    (line) => lines.push(line),
    pauseBetween,
    settledMs,
  )
  await part.ready
  for (const life of [1, 2, 3]) {
    process.kill(pids.at(-1) ?? 0, 'SIGKILL')
    await waitFor(() => lines.length === life * 2, 60_000)
  }
  await part.stop()
  expect(deathCounts).toEqual(pauses)
  expect(pids).toHaveLength(4)
})

it('a failed first start is reported and not repeated', async () => {
  let starts = 0
  const start = (): Promise<LaunchedProcess> => {
    starts++
    return Promise.reject(new Error('no'))
  }
  const part = supervise(
    { name: 'broken', start },
    () => {},
    () => {},
  )
  await expect(part.ready).rejects.toThrow('no')
  await part.stop()
  expect(starts).toBe(1)
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it.each([
  ['plain text', 'plain text'],
  ['{"level":', '{"level":'],
  ['{"level":30,"time":0,"msg":"ready"}', '00:00:00.000 info ready'],
  ['{"level":50,"time":1000,"part":"api","msg":"bad","code":7}', '00:00:01.000 ERROR bad {"code":7}'],
])('the log line %s is shown as %s', (line, shown) => {
  expect(formatLogLine(line)).toBe(shown)
})

it('a restart on request starts the part immediately, without the pause after a death', async () => {
  const pids: number[] = []
  const lines: string[] = []
  const part = supervise(
    { name: 'sleeper', start: startSleep },
    ({ pid }) => pids.push(pid),
    (line) => lines.push(line),
  )
  await part.ready
  for (const restarts of [1, 2, 3]) {
    await part.restart()
    await waitFor(() => lines.length === restarts * 2, 60_000)
  }
  expect(new Set(lines)).toEqual(new Set(['sleeper has changed: restarting.', 'sleeper was restarted.']))
  await part.stop()
  expect(pids).toHaveLength(4)
  expect(pids.filter((pid) => isAlive(pid))).toEqual([])
})
