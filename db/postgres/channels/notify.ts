import { connectSingle, databaseSilenceTimeoutMs, type Db } from '../client.ts'
import { arrivedTurnsChannel, framesChannel, stopsChannel, waitingRunsChannel, workerChannel } from './names.ts'

/**
 * Type of a head-start message. `due`: the worker must start the turn; the detail is the account. `follow`: the turn's
 * activity waits for the batch of the turn; the detail is the waiting process. `query`: that process requests `alive`.
 * `alive`: the batch is running. `over`: the batch has ended.
 */
export type HeadStartWord = 'due' | 'follow' | 'query' | 'alive' | 'over'

/** A message to a worker about a turn. */
type HeadStartMessage = { word: HeadStartWord; runId: string; detail: string }

export function parseHeadStart(payload: string): HeadStartMessage {
  const [word, runId = '', detail = ''] = payload.split(' ')
  return { word: word as HeadStartWord, runId, detail }
}

type Notification = { channel: string; payload: string }

// A NOTIFY payload is limited to 8000 bytes; a run id has 31.
const idsPerNotification = 200
/** Maximum pause after a notification. A notification of few runs has a shorter pause. */
const maxPauseMs = 10

/**
 * Wakes the readers of these runs. On a connection that writes to the log, the notification is pipelined behind the append,
 * so that Postgres executes it immediately after the append's commit, without another round trip. The notification's commit
 * does not wait for the disk.
 */
export function wakeReaders(db: Db, runIds: string[]): void {
  return notify(db, buildWakeUps(runIds))
}

/**
 * Sends the notifications of a process, except those of its group commits. An idle notifier sends immediately. Otherwise,
 * it pauses for one millisecond per run of the previous notification, at most ten. Wake-ups of the same tick share one
 * notification. Call it only after the commit that it announces, and never send content, because a notification can be
 * lost.
 */
export type Notifier = {
  wake(runId: string): void
  /**
   * Wakes the readers within ten milliseconds, with another wake-up of the run if possible. For frames without visible
   * content.
   */
  wakeSoon(runId: string): void
  stop(runId: string): void
  /** Sends a message about a turn to one worker, by the id of its process lock. */
  headStart(worker: number, word: HeadStartWord, runId: string, detail?: string | number): void
  /** Notifies workers that a turn's activity started after the turn had ended. */
  turnArrived(runId: string): void
  /** Notifies workers that a headless run waits for a slot. */
  runWaits(): void
  close(): Promise<void>
}

export function createNotifier(url: string): Notifier {
  const sql = connectSingle({ url, name: 'backline notify', silenceTimeoutMs: databaseSilenceTimeoutMs })
  const waiting = new Set<string>()
  const postponed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isTickQueued = false
  let isClosing = false
  const flush = (): void => {
    if (waiting.size === 0) return
    wakeReaders(sql, [...waiting])
    waiting.clear()
  }
  const tick = (): void => {
    timer = undefined
    if (waiting.size === 0) return
    timer = setTimeout(tick, Math.min(waiting.size, maxPauseMs))
    flush()
  }
  const wake = (runId: string): void => {
    if (isClosing) return
    postponed.delete(runId)
    waiting.add(runId)
    if (timer !== undefined || isTickQueued) return
    isTickQueued = true
    queueMicrotask(() => {
      isTickQueued = false
      if (timer === undefined) tick()
    })
  }
  const wakePostponed = (): void => postponed.forEach(wake)
  return {
    wake,
    wakeSoon: (runId) => {
      if (postponed.size === 0) setTimeout(wakePostponed, maxPauseMs)
      postponed.add(runId)
    },
    stop: (runId) => notify(sql, [{ channel: stopsChannel, payload: runId }]),
    headStart: (worker, word, runId, detail = '') =>
      notify(sql, [{ channel: workerChannel(worker), payload: `${word} ${runId} ${detail}` }]),
    turnArrived: (runId) => notify(sql, [{ channel: arrivedTurnsChannel, payload: runId }]),
    runWaits: () => notify(sql, [{ channel: waitingRunsChannel, payload: '' }]),
    close: async () => {
      wakePostponed()
      isClosing = true
      clearTimeout(timer)
      flush()
      await sql.end({ timeout: 2 })
    },
  }
}

// Failures are ignored, because readers also poll: a lost notification only delays them.
function notify(db: Db, notifications: Notification[]): void {
  db`
    select set_config('synchronous_commit', 'off', true), pg_notify(channel, payload)
    from unnest(
      ${notifications.map(({ channel }) => channel)}::text[], ${notifications.map(({ payload }) => payload)}::text[]
    ) as sent (channel, payload)`.catch(() => {})
}

function buildWakeUps(runIds: string[]): Notification[] {
  const idsByChannel = new Map<string, string[]>()
  for (const runId of runIds) {
    const channel = framesChannel(runId)
    const ids = idsByChannel.get(channel)
    if (ids === undefined) idsByChannel.set(channel, [runId])
    else ids.push(runId)
  }
  return [...idsByChannel].flatMap(([channel, ids]) => splitIds(ids).map((payload) => ({ channel, payload })))
}

function splitIds(runIds: string[]): string[] {
  const payloads: string[] = []
  for (let start = 0; start < runIds.length; start += idsPerNotification)
    payloads.push(runIds.slice(start, start + idsPerNotification).join(','))
  return payloads
}
