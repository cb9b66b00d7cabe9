import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { deriveExpectation, writePlan, type Plan } from '../external-services/plan.ts'
import type { Operation, StoredMessage } from '../records/records.ts'
import { sendBusy, type UserChat } from '../users/busy.ts'
import type { Queued, Started } from '../users/client.ts'
import type { Sent } from '../users/scripted-users.ts'
import { drawEffectRound, drawDelay, stopAfter, type Scenario, type Race } from './race.ts'

/** Scenarios in which answers, new versions, summaries and new messages compete for one chat. Each run may be stopped. */
export const contendedScenarios = {
  approval: async (race) => {
    const { users, chat, random } = race
    const change = (approvals: object | null) =>
      chat.client.change(`/api/sessions/${chat.sessionId}`, { approvals: approvals })
    await change({ tools: ['bash'] })
    const requestRound = drawEffectRound(random, `token-${users.nextName()}`, 300)
    const calls = requestRound.calls?.map((call) => ({ ...call, asks: true as const })) ?? []
    const sent = await sendAndRead(
      race,
      users.createPlan([{ ...requestRound, calls }, { words: random.between(1, 20) }], 100),
    )
    const { messages } = await chat.client.load(chat.sessionId, chat.chatId)
    const isSteered = random.chance(0.3)
    // A steering message may change the text.
    const expectation = isSteered ? { effectTokens: [] } : deriveFields(sent.plan, 1)
    const answer = (device: UserChat) => () =>
      submit(device, { kind: 'answer', ...expectation }, { messages: answerApproval(messages, random.chance(0.8)) })
    const [firstDevice, secondDevice] = users.openDevices(chat, 2) as [UserChat, UserChat]
    const rivals = [answer(firstDevice), random.chance(0.5) ? answer(secondDevice) : message(race, isSteered)]
    const done = await contend(race, sent, rivals)
    await change(null)
    return done
  },
  version: async (race) => {
    const { users, chat, random } = race
    const plan = users.createPlan([{ words: random.between(1, 30) }], 200)
    const sent = await sendAndRead(race, plan)
    const userMessage = { id: `message-${plan.id}`, role: 'user', content: writePlan(plan) }
    const regenerate = (device: UserChat) => () =>
      submit(
        device,
        { kind: 'answer', ...deriveFields(plan) },
        { trigger: 'regenerate-message', messages: [userMessage] },
      )
    const edit = (device: UserChat) => () => {
      const next = users.createPlan([{ words: random.between(1, 30) }], 200)
      const userMessageId = `message-${next.id}`
      const messages = [{ id: userMessageId, role: 'user', content: writePlan(next) }]
      return submit(
        device,
        { kind: 'send', userMessageId, ...deriveFields(next) },
        { editOf: userMessage.id, messages },
      )
    }
    const select = async (): Promise<undefined> => {
      const path = `/api/sessions/${chat.sessionId}/chats/${chat.chatId}/branches/main/select`
      await sendToPath(race, path, [200, 409])
    }
    const [firstDevice, secondDevice] = users.openDevices(chat, 2) as [UserChat, UserChat]
    const rival = random.pick([regenerate(secondDevice), edit(secondDevice), message(race, false)])
    return contend(race, sent, [regenerate(firstDevice), rival, select])
  },
  compaction: async (race) => {
    const { users, chat, random } = race
    const path = `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`
    await chat.client.change(path, { autoCompact: true })
    const sent = await sendAndRead(race, users.createPlan([{ words: 150 }], 2000))
    const { messages } = await chat.client.load(chat.sessionId, chat.chatId)
    const plan = users.createPlan([{ words: random.between(1, 20) }], 100)
    const userMessageId = `message-${plan.id}`
    const continueRun = () =>
      submit(
        chat,
        { kind: 'send', userMessageId, ...deriveFields(plan) },
        {
          messages: [...messages, { id: userMessageId, role: 'user', content: writePlan(plan) }],
          context: { contextLimit: 400 },
        },
      )
    const summarize = async (): Promise<undefined> => {
      await sendToPath(race, `/api/chat/${chat.chatId}/compact`, [200, 409])
    }
    const done = await contend(race, sent, [continueRun, random.chance(0.5) ? summarize : message(race, false)])
    await chat.client.change(path, { autoCompact: false })
    return done
  },
} satisfies Record<string, Scenario>

type Rival = () => Promise<Started | Queued | undefined>

const deriveFields = (plan: Plan, from = 0): Pick<Operation, 'effectTokens' | 'expectedText'> => {
  const { text, tokens } = deriveExpectation(plan, from)
  return { effectTokens: tokens, ...(text !== undefined && { expectedText: text }) }
}

/** Sends a turn and waits for its end. */
const sendAndRead = async ({ users, chat }: Race, plan: Plan): Promise<Sent & { runId: string }> => {
  const sent = await users.send(chat, plan)
  if (typeof sent.started === 'string') throw new Error(`a turn was rejected: ${sent.started}`)
  const { runId } = sent.started
  await sent.done
  await chat.client.untilEnded(runId)
  return { ...sent, runId }
}

const submit = (
  { client, sessionId, chatId }: UserChat,
  operation: Pick<Operation, 'userMessageId' | 'effectTokens' | 'expectedText'> & { kind: 'send' | 'answer' },
  body: object,
): Promise<Started | Queued> =>
  client.submit('/api/chat', { ...operation, chatId, idempotencyKey: randomUUID() }, { sessionId, chatId, ...body })

const message =
  ({ users, chat, random }: Race, isSteering: boolean): Rival =>
  () =>
    sendBusy(
      chat,
      users.createPlan([{ words: random.between(1, 6) }], 200),
      isSteering ? 'steer' : random.pick(['queue', 'interrupt']),
    )

/** Sends a request that starts no turn. Reports a status that is not allowed. */
const sendToPath = async ({ users, chat }: Race, path: string, allowed: number[]): Promise<void> => {
  const response = await chat.client.open('POST', path)
  const text = await response?.body.text()
  if (response !== undefined && !allowed.includes(response.status))
    users.context.reportUnexpected(`${chat.client.name}: POST ${path} responded ${response.status} ${text}`)
}

const answerApproval = (messages: StoredMessage[], approved: boolean): StoredMessage[] =>
  messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part['state'] === 'approval-requested'
        ? { ...part, state: 'approval-responded', approval: { ...(part['approval'] as object), approved } }
        : part,
    ),
  }))

/**
 * Starts each rival at a random time and may stop the run that it started. Waits for the end of all runs. Returns the
 * first of them, or the earlier turn if none started.
 */
const contend = async (
  race: Race,
  sent: Sent & { runId: string },
  rivals: readonly Rival[],
): Promise<Sent & { runId: string }> => {
  const { users, chat, random } = race
  const plans = rivals.map((rival) => ({
    rival,
    waitMs: drawDelay(random, 300),
    stopMs: random.chance(0.5) ? drawDelay(random, 1500) : undefined,
  }))
  const begin = async ({ rival, waitMs, stopMs }: (typeof plans)[number]): Promise<Started | Queued | undefined> => {
    await sleep(waitMs)
    const started = await rival()
    if (typeof started === 'object' && 'runId' in started && stopMs !== undefined)
      await stopAfter(race, started.runId, stopMs)
    return started
  }
  const begun = (await Promise.all(plans.map(begin))).filter((result) => typeof result === 'object')
  const runIds = begun.flatMap((result) => ('runId' in result ? [result.runId] : []))
  for (const runId of runIds) await chat.client.untilEnded(runId)
  await chat.client.resume(chat.chatId)
  // Messages that a stop held start only after the resume. Outdated answers start no run.
  const followedRunIds: (string | undefined)[] = []
  for (const result of begun) followedRunIds.push(await users.follow(chat, result))
  const runId = runIds[0] ?? followedRunIds.find((followedId) => followedId !== undefined) ?? sent.runId
  race.recordRun(runId)
  return { ...sent, runId }
}
