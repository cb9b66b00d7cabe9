import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { Agent } from 'undici'
import type { Pool } from '../../../db/postgres/client.ts'
import { makePerson } from '../../world/people.ts'
import { giveSandbox, giveWorkspace } from '../../world/sessions/session-rows.ts'
import { createClient, type ClientContext, type Queued, type Started } from './client.ts'
import { followRun } from './client-stream.ts'
import { followSent, type UserChat } from './busy.ts'
import { collectRecords, type Sources } from '../records/collect.ts'
import type { ExternalServices } from '../external-services/services.ts'
import { deriveExpectation, writePlan, type Plan, type Round } from '../external-services/plan.ts'
import type { Random } from '../../world/random.ts'
import type { Fault, MemorySample, Records } from '../records/records.ts'

export type Sent = { idempotencyKey: string; plan: Plan; started: Started; done: Promise<unknown> }

export type ScriptedUsersOptions = {
  seed: number
  random: Random
  apiUrls: () => string[]
  sources: Sources
  serverSecret: string
  services: ExternalServices
}

export type ScriptedUsers = ReturnType<typeof createScriptedUsers>

const startCredits = 1_000_000_000
const provisionWaitMs = 130_000

/** Creates clients that send scripted turns. Records all their requests and readings. */
export const createScriptedUsers = ({
  seed,
  random,
  apiUrls,
  sources,
  serverSecret,
  services,
}: ScriptedUsersOptions) => {
  const startedAt = Date.now()
  const agent = new Agent({ connect: { timeout: 5000 } })
  const deadlineController = new AbortController()
  setMaxListeners(0, deadlineController.signal)
  const unexpectedResponses: string[] = []
  const context: ClientContext = {
    agent,
    apiUrls,
    operations: [],
    readings: [],
    reportUnexpected: (text) => void unexpectedResponses.push(text),
    deadline: deadlineController.signal,
    accepted: () => {},
    ended: () => {},
  }
  const prefix = `s${seed.toString(36)}`
  let clientCount = 0
  let turnCount = 0

  /** Opens a chat. Without `commands`, its sandbox exists only as rows in Postgres. */
  const openChat = async ({ commands, db = sources.db }: { commands: boolean; db?: Pool }): Promise<UserChat> => {
    const name = `${prefix}p${clientCount++}`
    const { id, key } = await makePerson(db, serverSecret, { credits: startCredits })
    const client = createClient(context, { key, name, random: random.fork(name) })
    const { json } = await client.prepare('/api/sessions', { title: name }, { key: `${name}-session` })
    const { session, chat } = json as { session: { id: string }; chat: { id: string } }
    if (commands) await client.prepare('/api/sandbox', { sessionId: session.id }, { waitMs: provisionWaitMs })
    else {
      await giveWorkspace(db, id)
      await giveSandbox(db, session.id)
    }
    return { client, sessionId: session.id, chatId: chat.id, key }
  }

  /** Returns a unique name for plans, keys and message ids. */
  const nextName = (): string => `${prefix}t${turnCount++}`

  const createPlan = (rounds: Round[], wordsPerSecond = 200): Plan => ({
    id: nextName(),
    wordsPerSecond,
    rounds,
  })

  /** Sends a turn and reads its response. `done` resolves when the turn ends. */
  const send = async (
    { client, sessionId, chatId }: UserChat,
    plan: Plan,
    key: string = randomUUID(),
  ): Promise<Sent> => {
    const { text, tokens } = deriveExpectation(plan)
    const userMessageId = `message-${plan.id}`
    const operation = {
      kind: 'send' as const,
      chatId,
      idempotencyKey: key,
      userMessageId,
      effectTokens: tokens,
      ...(text !== undefined && { expectedText: text }),
    }
    const messages = [{ id: userMessageId, role: 'user', content: writePlan(plan) }]
    const started = await client.start('/api/chat', operation, { sessionId, chatId, messages })
    const done =
      typeof started === 'string'
        ? Promise.resolve()
        : followRun(context, client, started, { first: started.body }).catch((error: unknown) => error)
    return { idempotencyKey: key, plan, started, done }
  }

  /** Creates more clients for the same chat. */
  const openDevices = (chat: UserChat, count: number): UserChat[] =>
    Array.from({ length: count }, () => {
      const name = `${prefix}p${clientCount++}`
      return { ...chat, client: createClient(context, { key: chat.key, name, random: random.fork(name) }) }
    })

  /** Reads the turn of a message that may be queued. See `followSent`. */
  const follow = (chat: UserChat, sent: Started | Queued): Promise<string | undefined> =>
    followSent(context, chat, sent)

  const records = (faults: Fault[] = [], samples: MemorySample[] = []): Promise<Records> =>
    collectRecords({ seed, startedAt, workload: context, services, cluster: sources, faults, samples })

  /** Aborts all requests and pauses of the clients. */
  const close = async (): Promise<void> => {
    deadlineController.abort()
    await agent.destroy()
  }

  return {
    context,
    unexpectedResponses,
    random,
    openChat,
    openDevices,
    nextName,
    createPlan,
    send,
    follow,
    records,
    abort: () => deadlineController.abort(),
    close,
  }
}
