import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Pool } from '../../../db/postgres/client.ts'
import { makePerson } from '../../world/people.ts'
import type { ClientContext } from './client.ts'
import type { Random } from '../../world/random.ts'
import type { Operation, Reading } from '../records/records.ts'
import { liveAsScrapingUser } from './scraping-user.ts'
import { usualMix, type Mix } from './workload-script.ts'
import { liveAsUser } from './workload-user.ts'

export type { Mix } from './workload-script.ts'

/** State after the workload has stopped. */
type Rest = {
  /** Runs whose end no client found in time. */
  unsettled: string[]
}

export type Workload = {
  operations: Operation[]
  readings: Reading[]
  /** Responses that a client could not parse, and failures of the clients themselves. */
  unexpectedResponses: string[]
  /** Number of runs that the API accepted so far. */
  acknowledged(): number
  /** Number of runs whose end a client saw. */
  ended(): number
  /** Starts nothing new; resolves when each client has found the end of its runs, or at the deadline. */
  stop(deadlineMs?: number): Promise<Rest>
}

const startCredits = 1_000_000_000
const usualPatienceMs = 120_000

/** Starts virtual users who send, read, leave, stop and answer, as their seed determines, until they are stopped. */
export const startWorkload = async (options: {
  random: Random
  /** Base URLs of the APIs that listen now; read before every request. */
  apiUrls: () => string[]
  db: Pool
  serverSecret: string
  users: number
  mix?: Partial<Mix>
  /** Whether an additional user scrapes profiles. */
  scraping?: boolean
}): Promise<Workload> => {
  const { random, db, serverSecret } = options
  const agent = new Agent({ connect: { timeout: 5000 } })
  const stopping = new AbortController()
  const deadlineController = new AbortController()
  // Every pause and every request of every user listens to it.
  setMaxListeners(0, deadlineController.signal)
  const accepted = new Set<string>()
  const ended = new Set<string>()
  const unexpectedResponses: string[] = []
  const context: ClientContext = {
    agent,
    apiUrls: options.apiUrls,
    operations: [],
    readings: [],
    reportUnexpected: (text) => void unexpectedResponses.push(text),
    deadline: deadlineController.signal,
    accepted: (runId) => void accepted.add(runId),
    ended: (runId) => void ended.add(runId),
  }
  const prefix = random
    .fork('name')
    .between(0, 2 ** 32 - 1)
    .toString(36)
  const mix = { ...usualMix, ...options.mix }
  const lives: Promise<void>[] = []
  for (let at = 0; at < options.users; at++) {
    const name = `${prefix}u${at}`
    const { key } = await makePerson(db, serverSecret, { credits: startCredits })
    const user = { name, key, random: random.fork(name), mix, stopping: stopping.signal }
    lives.push(liveAsUser(context, user))
  }
  if (options.scraping === true) {
    const name = `${prefix}scraper`
    const { id: accountId, key } = await makePerson(db, serverSecret, { credits: startCredits })
    const user = { name, key, random: random.fork(name), stopping: stopping.signal, db, accountId }
    lives.push(liveAsScrapingUser(context, user))
  }

  const stop = async (deadlineMs = usualPatienceMs): Promise<Rest> => {
    stopping.abort()
    const everyone = Promise.all(lives)
    const patience = new AbortController()
    const late = sleep(deadlineMs, undefined, { signal: patience.signal }).catch(() => undefined)
    await Promise.race([everyone, late])
    patience.abort()
    deadlineController.abort()
    await everyone
    await agent.destroy()
    return { unsettled: [...accepted].filter((runId) => !ended.has(runId)) }
  }

  return {
    operations: context.operations,
    readings: context.readings,
    unexpectedResponses,
    acknowledged: () => accepted.size,
    ended: () => ended.size,
    stop,
  }
}
