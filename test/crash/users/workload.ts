import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Pool } from '../../../db/postgres/client.ts'
import { makePerson } from '../../world/people.ts'
import type { ClientContext } from './client.ts'
import type { Random } from '../../world/random.ts'
import type { StopResult, Workload } from '../records/records.ts'
import { runScrapingUser } from './scraping-user.ts'
import { defaultMix, type Mix } from './workload-script.ts'
import { runUser } from './workload-user.ts'

export type { Mix } from './workload-script.ts'

const startCredits = 1_000_000_000
const stopTimeoutMs = 120_000

/** Starts virtual users who send, read, stop and answer turns, as the seed determines, until `stop`. */
export const startWorkload = async (options: {
  random: Random
  /** Returns the base URLs of the ready APIs. Called before every request. */
  apiUrls: () => string[]
  db: Pool
  serverSecret: string
  users: number
  mix?: Partial<Mix>
  /** Whether commands print the files of all earlier commands. */
  showsEffects?: boolean
  /** Whether an additional user scrapes profiles. */
  scraping?: boolean
}): Promise<Workload> => {
  const { random, db, serverSecret, showsEffects = false } = options
  const agent = new Agent({ connect: { timeout: 5000 } })
  const stopping = new AbortController()
  const deadlineController = new AbortController()
  // Every pause and request of every user adds a listener.
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
  const mix = { ...defaultMix, ...options.mix }
  const userRuns: Promise<void>[] = []
  for (let index = 0; index < options.users; index++) {
    const name = `${prefix}u${index}`
    const { key } = await makePerson(db, serverSecret, { credits: startCredits })
    const user = { name, key, random: random.fork(name), mix, showsEffects, stopping: stopping.signal }
    userRuns.push(runUser(context, user))
  }
  if (options.scraping === true) {
    const name = `${prefix}scraper`
    const { id: accountId, key } = await makePerson(db, serverSecret, { credits: startCredits })
    const user = { name, key, random: random.fork(name), stopping: stopping.signal, db, accountId }
    userRuns.push(runScrapingUser(context, user))
  }

  const stop = async (timeoutMs = stopTimeoutMs): Promise<StopResult> => {
    stopping.abort()
    const everyone = Promise.all(userRuns)
    const waitController = new AbortController()
    const deadlinePassed = sleep(timeoutMs, undefined, { signal: waitController.signal }).catch(() => undefined)
    await Promise.race([everyone, deadlinePassed])
    waitController.abort()
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
