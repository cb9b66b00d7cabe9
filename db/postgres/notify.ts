import { connectSingle, databaseSilenceTimeoutMs, type Db } from './client.ts'
import { retryWhileDatabaseDown } from './retry.ts'

/** Wakes readers of these runs' logs. Payload: run ids, comma-separated. */
export const framesChannel = 'run_frames'
/** Notifies workers of a recorded stop. Payload: one run id. */
export const stopsChannel = 'run_stops'
/** Notifies API processes that an account may have lost access. Sent by triggers. Payload: one account id. */
export const accessRevokedChannel = 'access_revoked'
/**
 * Notifies workers about the head start of a turn. Payload: a word, a run id and, with `due`, an account id, separated
 * by spaces.
 */
export const headStartsChannel = 'head_starts'

/** Notifies workers that a headless run waits for a slot. */
export const waitingRunsChannel = 'waiting_runs'

/**
 * `due`: the head start may begin. `over`: the head start has ended. `asked`: a process waits for it. `alive`: the process
 * of the head start is working. `brought`: the activity has arrived for a turn that already ended.
 */
type HeadStartWord = 'due' | 'over' | 'asked' | 'alive' | 'brought'

// A NOTIFY payload is limited to 8000 bytes; a run id has 31.
const idsPerNotification = 200
/** Maximum pause after a notification. After a notification of few runs the pause is shorter. */
const maxPauseMs = 10

/**
 * Wakes readers. On a connection that writes to the log, the notification is pipelined behind the append: Postgres
 * executes it right after the append's commit, without a round trip to the writer. Its own commit does not wait for the
 * disk.
 */
export function wakeReaders(db: Db, runIds: string[]): void {
  return notify(db, framesChannel, buildPayloads(runIds))
}

/**
 * Sends all wake-ups of a process except those of its group commits: immediately when idle, otherwise after a pause of one
 * millisecond per run of the last notification, at most ten. Wake-ups of the same tick are one notification. Never call
 * it inside the transaction that it announces, and never send content: a lost wake-up costs time, not data.
 */
export type Notifier = {
  wake(runId: string): void
  /** Wakes the readers with the next wake-up of the run, at most ten milliseconds later. For frames without visible content. */
  wakeSoon(runId: string): void
  stop(runId: string): void
  /** `accountId`: set for a turn that is due. */
  headStart(runId: string, word: HeadStartWord, accountId?: string): void
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
    stop: (runId) => notify(sql, stopsChannel, [runId]),
    headStart: (runId, word, accountId = '') => notify(sql, headStartsChannel, [`${word} ${runId} ${accountId}`]),
    runWaits: () => notify(sql, waitingRunsChannel, ['']),
    close: async () => {
      wakePostponed()
      isClosing = true
      clearTimeout(timer)
      flush()
      await sql.end({ timeout: 2 })
    },
  }
}

/**
 * Opens a LISTEN connection. `onListen` runs after each connect, because notifications may have been missed.
 */
export function listen(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
  onListen: () => void,
): Promise<{ close(): Promise<void> }> {
  return retryWhileDatabaseDown(async () => {
    const sql = connectSingle({ url, name: `backline listen ${channel}` })
    try {
      await sql.listen(channel, onPayload, onListen)
    } catch (error) {
      // The driver caches a failed first LISTEN as the result of every later one.
      await sql.end({ timeout: 1 })
      throw error
    }
    return { close: () => sql.end({ timeout: 1 }) }
  })
}

// Readers also poll, so a lost wake-up is only a delay.
function notify(db: Db, channel: string, payloads: string[]): void {
  db`
    select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, payload)
    from unnest(${payloads}::text[]) as payload`.catch(() => {})
}

function buildPayloads(runIds: string[]): string[] {
  const payloads: string[] = []
  for (let start = 0; start < runIds.length; start += idsPerNotification)
    payloads.push(runIds.slice(start, start + idsPerNotification).join(','))
  return payloads
}
