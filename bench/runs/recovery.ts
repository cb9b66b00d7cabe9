import { once } from 'node:events'
import { launch, type LaunchedProcess } from '../../dev/processes/processes.ts'
import { openDatabase } from '../bare/open-database.ts'
import { quantile, measureRatio, measureSpread, type Bench, type Row } from '../measure.ts'
import { pathInBench } from '../processes/child-process.ts'
import { readTreeMemory } from '../processes/usage.ts'
import { encodePlan } from '../stack/plan.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'
import { sendTurn } from '../stack/turn.ts'

const plan = encodePlan({ tokens: 3000, perSecond: 50 })

const group = { WORKER_GROUP: 'bench' }

type Scenario = 'another' | 'unseen' | 'alone' | 'spare'

/** A worker and the key of its process lock, which the log records as its writer. */
export type Worker = { part: LaunchedProcess; processId: number }

export const recovery: Bench = {
  name: 'recovery',
  run: async (stack, { quick }) => {
    const [chat] = await stack.openChats(1)
    if (chat === undefined) throw new Error('no chat')
    await stack.parts.worker.stop()
    const start = () => startWorker(stack, group)
    let workers = [await startWorker(stack), await startWorker(stack)]
    const killHolder = async (holder: number): Promise<void> => {
      const target = workers.find(({ processId }) => processId === holder)
      if (target === undefined) throw new Error(`the writer of the log is not a worker of the benchmark: ${holder}`)
      workers = workers.filter((worker) => worker !== target)
      await kill(target.part)
    }
    /** Queues for the lock of the worker before the kill and then holds it, so that the dead worker appears to run. */
    const killUnseen = async (holder: number): Promise<void> => {
      const sql = openDatabase(stack.databaseUrl, { max: 1 })
      const [session] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      const lock = sql`select pg_advisory_lock(${holder}::bigint)`.execute()
      await poll('the benchmark to wait for the lock', async () => {
        const waiting = await stack.db`select 1 from pg_locks where pid = ${session?.pid ?? 0} and not granted`
        return waiting.length > 0 ? true : undefined
      })
      unseen.push(() => lock.then(() => sql.end({ timeout: 1 })))
      await killHolder(holder)
    }
    const unseen: (() => Promise<void>)[] = []

    const times: Record<Scenario, number[]> = { another: [], unseen: [], spare: [], alone: [] }
    const kills = quick ? 3 : 24
    for (let index = 0; index < kills; index++) {
      times.another.push(await timeRecovery(stack, chat, killHolder))
      workers.push(await startWorker(stack))
      if (index % (quick ? 3 : 6) !== 0) continue
      times.unseen.push(await timeRecovery(stack, chat, killUnseen))
      for (const release of unseen.splice(0)) await release()
      workers.push(await startWorker(stack))
    }
    await Promise.all(workers.map(({ part }) => part.stop()))
    workers = [await start()]
    const memory: number[] = []
    const bareStarts: number[] = []
    for (let index = 0; index < kills; index++) {
      let restarting: Promise<Worker> | undefined
      times.alone.push(
        await timeRecovery(stack, chat, async (holder) => {
          await killHolder(holder)
          restarting = start()
        }),
      )
      if (restarting !== undefined) workers.push(await restarting)
      bareStarts.push(await timeBareStart(stack))
      const spare = await start()
      workers.push(spare)
      memory.push(readTreeMemory(spare.part.pid) / 2 ** 20)
      times.spare.push(await timeRecovery(stack, chat, killHolder))
    }
    return [
      row('kill -9 of a worker to the next token, with another worker: p95', times.another, {
        aim: { atMost: 700 },
        how: 'in a turn that streams 50 tokens/s, time from the kill until the client receives the first token of the repeated call; the fake model responds immediately',
      }),
      row('kill -9 of the only worker, restarted immediately: p95', times.alone, {
        aim: { atMost: 1200 },
        how: 'the same with one worker process, which the benchmark restarts as soon as it has exited, as `npm start` does, with the bundle from the build',
      }),
      {
        name: 'start of a worker with only the SDK',
        ...measureSpread(bareStarts),
        unit: 'ms',
        how: 'alternated with the previous row: time from the start of a Node process until a worker of the Temporal SDK polls; the worker has one empty activity, no workflows, no Postgres and no code of Backline',
      },
      row('kill -9 of the only worker, with a spare: p95', times.spare, {
        aim: { atMost: 700 },
        how: 'the same, alternated with the previous row, with a second worker process on standby (`SPARE_WORKER`)',
      }),
      {
        name: 'spare relative to restart',
        ...measureRatio({ ours: times.spare, control: times.alone }),
        unit: 'x',
        how: 'the medians of both',
      },
      {
        name: 'memory of a waiting spare',
        ...measureSpread(memory),
        unit: 'MiB',
        how: 'proportional set size of its process once it is ready, without its Postgres backends',
      },
      row('kill -9 detected by the pulse alone: p50', times.unseen, {
        how: 'the control of both rows: the same kill while the benchmark holds the process lock of the dead worker, so that other workers detect the death only by the pulse that no longer changes',
      }),
    ]
  },
}

/** Starts a worker and identifies its process lock, which did not exist before. */
export async function startWorker(stack: Stack, settings: Record<string, string> = {}): Promise<Worker> {
  const before = new Set(await listLocks(stack))
  const part = await stack.startWorker(settings)
  const processId = await poll('the lock of a new worker', async () =>
    (await listLocks(stack)).find((key) => !before.has(key)),
  )
  return { part, processId }
}

async function timeBareStart({ temporalAddress }: Stack): Promise<number> {
  const begin = performance.now()
  const part = await launch({
    command: [process.execPath, pathInBench('bare/activity-worker.mjs'), temporalAddress],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: process.env,
    deathSignal: 'TERM',
    stopSteps: [],
  })
  await once(part.child, 'message')
  const elapsedMs = performance.now() - begin
  await kill(part)
  return elapsedMs
}

async function listLocks({ db }: Stack): Promise<number[]> {
  const rows = await db<{ name: string }[]>`
    select application_name as name from pg_stat_activity where application_name like 'backline lock %'`
  return rows.map(({ name }) => Number(name.split(' ').at(-1)))
}

/** Calls `check` until it returns a value. Throws with `description` if this takes longer than the time limit. */
export async function poll<T>(
  description: string,
  check: () => Promise<T | undefined>,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const result = await check()
    if (result !== undefined) return result
    if (performance.now() > deadline) throw new Error(`timed out while waiting for ${description}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export async function kill({ pid, exited }: LaunchedProcess): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await exited
}

/**
 * Returns the milliseconds from the kill of the worker that streams a turn until the client receives the next token,
 * which is the first after the retraction of the dead attempt's output.
 */
async function timeRecovery(
  stack: Stack,
  chat: OpenChat,
  killWorker: (holder: number) => Promise<void>,
): Promise<number> {
  let tokens = 0
  let retracted = false
  let rest = ''
  let recoveredAt: number | undefined
  const turn = sendTurn(stack.baseUrl, chat, plan, (text) => {
    rest += text
    const events = rest.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (event.includes('"type":"data-retract"')) retracted = true
      if (!event.includes('"type":"text-delta"')) continue
      tokens++
      if (retracted) recoveredAt ??= performance.now()
    }
  })
  const endedEarly = turn.then(() => Promise.reject(new Error('the turn ended before the kill')))
  // The kill occurs at a random point of the stream, after 10 to 60 tokens.
  const tokensBeforeKill = 10 + Math.floor(Math.random() * 50)
  const hasEnoughTokens = async (): Promise<true | undefined> => (tokens >= tokensBeforeKill ? true : undefined)
  await Promise.race([poll('frames of the turn', hasEnoughTokens), endedEarly])
  const holder = await findHolder(stack, chat)
  const begin = performance.now()
  await killWorker(holder)
  const elapsedMs = (await Promise.race([poll('the next token', async () => recoveredAt), endedEarly])) - begin
  endedEarly.catch(() => {})
  await stopTurn(stack, chat)
  await turn
  return elapsedMs
}

/** Returns the process that writes the log of the chat's run. */
export async function findHolder({ db }: Stack, { chatId }: OpenChat): Promise<number> {
  return poll('a writer of the log', async () => {
    const [row] = await db<{ holder: number | null }[]>`
      select holder from stream_head join chats on run_id = active_stream_id where chats.id = ${chatId}`
    return row?.holder ?? undefined
  })
}

function row(name: string, times: number[], details: Pick<Row, 'how' | 'aim'>): Row {
  return {
    name,
    ...measureSpread(times),
    value: quantile(times, details.aim === undefined ? 0.5 : 0.95),
    unit: 'ms',
    ...details,
    detail: `${times.length} kills, p50 ${Math.round(quantile(times, 0.5))} ms`,
  }
}

async function stopTurn({ baseUrl }: Stack, { account, chatId }: OpenChat): Promise<void> {
  const response = await fetch(`${baseUrl}/api/chat/${chatId}/stop`, {
    method: 'POST',
    headers: { 'x-api-key': account.key },
  })
  if (!response.ok) throw new Error(`the turn was not stopped: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
