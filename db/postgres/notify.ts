import { connectSingle, silenceMs, type Db } from './client.ts'
import { retryWhileDatabaseDown } from './retry.ts'

/** Wakes readers of these runs' logs. Payload: run ids, comma-separated. */
export const framesChannel = 'run_frames'
/** Tells workers that a stop was recorded. Payload: one run id. */
export const stopsChannel = 'run_stops'
/** Tells API processes whose access may have ended; sent by triggers. Payload: one account id. */
export const accessRevokedChannel = 'access_revoked'
/** What workers hear of the head start of a turn. Payload: a word, a run id and, with `due`, an account id, in one line. */
export const headStartsChannel = 'head_starts'

/** Tells workers that a headless run waits for a place. */
export const waitingRunsChannel = 'waiting_runs'

/**
 * `due`: it may begin. `over`: it has ended. `asked`: a process waits for it. `alive`: the process that runs it is at work.
 * `brought`: the engine has brought the turn, which had ended.
 */
type HeadStartWord = 'due' | 'over' | 'asked' | 'alive' | 'brought'

// 8000 bytes is what a NOTIFY carries; a run id has 31.
const idsPerNotification = 200
/** After a notification of many runs; after one of a few the next may come sooner. */
const longestPauseMs = 10

/**
 * Wakes readers. Over a connection that writes to the log it goes behind what was just sent: Postgres goes on to this from
 * the append's commit, and the writer need not hear of it first. Its own commit does not wait for the disk.
 */
export function wakeReaders(db: Db, runIds: string[]): void {
  return tell(db, framesChannel, payloadsOf(runIds))
}

/**
 * A process's one voice for wake-ups but those of its group commits: at once when quiet, else as many milliseconds after
 * the last notification as that told of runs, ten at most. What is said in one go is one notification.
 * Never inside the transaction that it tells of, and never with content: a lost wake-up costs time, not data.
 */
export type Notifier = {
  wake(runId: string): void
  stop(runId: string): void
  /** `accountId`: of a turn that is due. */
  headStart(runId: string, word: HeadStartWord, accountId?: string): void
  /** A headless run waits for a place. */
  runWaits(): void
  close(): Promise<void>
}

export function createNotifier(url: string): Notifier {
  const sql = connectSingle({ url, name: 'backline notify', silenceMs })
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let leading = false
  let closing = false
  const flush = (): void => {
    if (waiting.size === 0) return
    wakeReaders(sql, [...waiting])
    waiting.clear()
  }
  const tick = (): void => {
    timer = undefined
    if (waiting.size === 0) return
    timer = setTimeout(tick, Math.min(waiting.size, longestPauseMs))
    flush()
  }
  return {
    wake: (runId) => {
      if (closing) return
      waiting.add(runId)
      if (timer !== undefined || leading) return
      leading = true
      queueMicrotask(() => {
        leading = false
        if (timer === undefined) tick()
      })
    },
    stop: (runId) => tell(sql, stopsChannel, [runId]),
    headStart: (runId, word, accountId = '') => tell(sql, headStartsChannel, [`${word} ${runId} ${accountId}`]),
    runWaits: () => tell(sql, waitingRunsChannel, ['']),
    close: async () => {
      closing = true
      clearTimeout(timer)
      flush()
      await sql.end({ timeout: 2 })
    },
  }
}

/** One LISTEN connection; `onListen` runs after the first and every later connect, when wake-ups may have been missed. */
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
      // The driver keeps a failed first LISTEN as the answer to every later one.
      await sql.end({ timeout: 1 })
      throw error
    }
    return { close: () => sql.end({ timeout: 1 }) }
  })
}

// Readers poll: a wake-up that cannot be sent is late, not lost.
function tell(db: Db, channel: string, payloads: string[]): void {
  db`
    select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, payload)
    from unnest(${payloads}::text[]) as payload`.catch(() => {})
}

function payloadsOf(runIds: string[]): string[] {
  const payloads: string[] = []
  for (let at = 0; at < runIds.length; at += idsPerNotification)
    payloads.push(runIds.slice(at, at + idsPerNotification).join(','))
  return payloads
}
