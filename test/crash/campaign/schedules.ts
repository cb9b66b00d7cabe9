import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../../bench/measure.ts'
import { print } from '../../../dev/say.ts'
import { nextFires } from '../../../domain/tasks/cron/fires.ts'
import { parseCron } from '../../../domain/tasks/cron/parse.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { PartId } from '../cluster/parts.ts'
import { listAnomalies, fireSettings, createFiresApi, listFires, type DueTask, type FireRow } from '../fires/fires.ts'
import { createRandom } from '../../world/random.ts'
import { conclude, newSeed, readArguments, readCount, withCluster } from './command.ts'

const help = `npm run chaos:tasks -- [options]: runs tasks that are due every minute while parts are killed.

  --minutes N    duration (default 10)
  --every N      seconds between two kills (default 30)
  --tasks N      tasks (default 8)
  --seed N       repeats the choices of an earlier run

Each kill ends a worker, an API, Temporal or Postgres. At the end, the runs are compared with the nominal times.
The exit code is 1 if a nominal time has no run, several runs, or a run without a chat run.`

type Options = { minutes: number; everyMs: number; tasks: number; seed: number }

const everyMinute = '* * * * *'
const minuteMs = 60_000
/** The last second of a minute at which all tasks can be created or disabled before the next nominal time. */
const latestSecond = 40

const untilStartOfMinute = async (): Promise<void> => {
  const elapsedMs = Date.now() % minuteMs
  if (elapsedMs > latestSecond * 1000 || elapsedMs < 5000) await sleep(((65_000 - elapsedMs) % minuteMs) + 1)
}

const killUntil = async (cluster: Cluster, endAt: number, { everyMs, seed }: Options): Promise<PartId[]> => {
  const random = createRandom(seed)
  const killedParts: PartId[] = []
  for (;;) {
    const remainingMs = endAt - Date.now()
    if (remainingMs < everyMs) {
      await sleep(Math.max(0, remainingMs))
      return killedParts
    }
    await sleep(everyMs)
    const kind = random.pick(['worker', 'api', 'temporal', 'postgres'] as const)
    const part =
      kind === 'worker' ? random.pick(cluster.workers()) : kind === 'api' ? random.pick(cluster.apis()) : kind
    const { observed, evidence } = await cluster.kill(part)
    print(`${new Date().toISOString().slice(11, 19)} ${evidence}`)
    if (!observed) throw new Error(`the kill of ${part} was not observed`)
    killedParts.push(part)
  }
}

const describeSummary = (rows: readonly FireRow[], killedParts: readonly PartId[]): string => {
  const delaysMs = rows.map(({ createdAt, nominalAt }) => createdAt.getTime() - nominalAt.getTime())
  const statuses = [...new Set(rows.map(({ status }) => status))]
  const countStatus = (countedStatus: string): number => rows.filter(({ status }) => status === countedStatus).length
  const counts = statuses.map((status) => `${countStatus(status)} ${status}`).join(', ')
  const figures = [0.5, 0.99, 1].map((share) => `${Math.round(quantile(delaysMs, share))} ms`).join(', ')
  return `${rows.length} runs (${counts}) under ${killedParts.length} kills; recording delay p50, p99, max: ${figures}.`
}

const runCampaign = async (options: Options, cluster: Cluster): Promise<boolean> => {
  const { makeTask, disable, untilEnded } = createFiresApi(cluster)
  await untilStartOfMinute()
  const from = new Date()
  const tasks: DueTask[] = []
  for (let count = 0; count < options.tasks; count++) tasks.push(await makeTask(everyMinute))
  if (new Date().getUTCMinutes() !== from.getUTCMinutes()) throw new Error('the tasks were not created within a minute')
  const killedParts = await killUntil(cluster, from.getTime() + options.minutes * minuteMs, options)
  await cluster.untilReady()
  await untilStartOfMinute()
  const until = new Date()
  for (const task of tasks) await disable(task)
  const cron = parseCron(everyMinute)
  const times =
    cron === undefined ? [] : nextFires(cron, 'UTC', from, options.minutes + 2).filter((time) => time < until)
  await untilEnded(tasks.length * times.length, 10 * minuteMs).catch((error: Error) => print(error.message))
  const rows = await listFires(cluster)
  const anomalies = listAnomalies(rows, new Map(tasks.map(({ id }) => [id, times])))
  for (const anomaly of anomalies.slice(0, 50)) print(`  ${anomaly}`)
  print(`Seed ${options.seed}: ${describeSummary(rows, killedParts)} ${anomalies.length} anomalies.`)
  return anomalies.length === 0
}

export const main = async (args: string[]): Promise<void> => {
  const flags = readArguments(args, ['minutes', 'every', 'tasks', 'seed'])
  if (flags['help'] !== undefined) {
    print(help)
    return
  }
  const options: Options = {
    minutes: readCount('minutes', flags['minutes'], 10),
    everyMs: readCount('every', flags['every'], 30) * 1000,
    tasks: readCount('tasks', flags['tasks'], 8),
    seed: readCount('seed', flags['seed'], newSeed()),
  }
  print(`Seed ${options.seed}: ${options.tasks} tasks, ${options.minutes} minutes.`)
  const cluster = { workers: 2, apis: 2, settings: fireSettings, log: print }
  conclude(await withCluster(cluster, (cluster) => runCampaign(options, cluster)))
}
