import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { deriveExpectation, writePlan, type Plan } from '../outside/plan.ts'
import type { Operation, StoredMessage } from '../records/records.ts'
import { sendBusy } from '../users/busy.ts'
import type { Queued, Started } from '../users/client.ts'
import type { Sent, UserChat } from '../users/scripted-users.ts'
import { effect, moment, stopAfter, type Course, type Race } from './race.ts'

/** Answers, other versions, summaries and new messages that compete for one chat, and stops of whatever begins. */
export const contendedCourses = {
  approval: async (race) => {
    const { users, chat, random } = race
    const change = (approvals: object | null) =>
      chat.client.change(`/api/sessions/${chat.sessionId}`, { approvals: approvals })
    await change({ tools: ['bash'] })
    const asking = effect(random, `token-${users.nextName()}`, 300)
    const calls = asking.calls?.map((call) => ({ ...call, asks: true as const })) ?? []
    const sent = await sendAndRead(race, users.planOf([{ ...asking, calls }, { words: random.between(1, 20) }], 100))
    const { messages } = await chat.client.load(chat.sessionId, chat.chatId)
    const isSteered = random.chance(0.3)
    // A steering message may change the text.
    const expectation = isSteered ? { effectTokens: [] } : deriveFields(sent.plan, 1)
    const answer = (device: UserChat) => () =>
      submit(device, { kind: 'answer', ...expectation }, { messages: answerApproval(messages, random.chance(0.8)) })
    const [one, other] = users.openDevices(chat, 2) as [UserChat, UserChat]
    const rivals = [answer(one), random.chance(0.5) ? answer(other) : message(race, isSteered)]
    const done = await contend(race, sent, rivals)
    await change(null)
    return done
  },
  version: async (race) => {
    const { users, chat, random } = race
    const plan = users.planOf([{ words: random.between(1, 30) }], 200)
    const sent = await sendAndRead(race, plan)
    const userMessage = { id: `message-${plan.id}`, role: 'user', content: writePlan(plan) }
    const regenerate = (device: UserChat) => () =>
      submit(
        device,
        { kind: 'answer', ...deriveFields(plan) },
        { trigger: 'regenerate-message', messages: [userMessage] },
      )
    const edit = (device: UserChat) => () => {
      const next = users.planOf([{ words: random.between(1, 30) }], 200)
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
    const [one, other] = users.openDevices(chat, 2) as [UserChat, UserChat]
    const rival = random.pick([regenerate(other), edit(other), message(race, false)])
    return contend(race, sent, [regenerate(one), rival, select])
  },
  compaction: async (race) => {
    const { users, chat, random } = race
    const path = `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`
    await chat.client.change(path, { autoCompact: true })
    const sent = await sendAndRead(race, users.planOf([{ words: 150 }], 2000))
    const { messages } = await chat.client.load(chat.sessionId, chat.chatId)
    const plan = users.planOf([{ words: random.between(1, 20) }], 100)
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
} satisfies Record<string, Course>

type Rival = () => Promise<Started | Queued | undefined>

const deriveFields = (plan: Plan, from = 0): Pick<Operation, 'effectTokens' | 'expectedText'> => {
  const { text, tokens } = deriveExpectation(plan, from)
  return { effectTokens: tokens, ...(text !== undefined && { expectedText: text }) }
}

/** Sends a turn that ends before the race begins. */
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
  ({ users, chat, random }: Race, steers: boolean): Rival =>
  () =>
    sendBusy(
      chat,
      users.planOf([{ words: random.between(1, 6) }], 200),
      steers ? 'steer' : random.pick(['queue', 'interrupt']),
    )

/** Sends a request that is no turn and may be rejected. */
const sendToPath = async ({ users, chat }: Race, path: string, allowed: number[]): Promise<void> => {
  const response = await chat.client.open('POST', path)
  const text = await response?.body.text()
  if (response !== undefined && !allowed.includes(response.status))
    users.context.reportUnexpected(`${chat.client.name}: POST ${path} responded ${response.status} ${text}`)
}

const answerApproval = (messages: StoredMessage[], approved: boolean): StoredMessage[] =>
  messages.map((one) => ({
    ...one,
    parts: one.parts.map((part) =>
      part['state'] === 'approval-requested'
        ? { ...part, state: 'approval-responded', approval: { ...(part['approval'] as object), approved } }
        : part,
    ),
  }))

/**
 * Starts each rival at its moment and stops the run that it began. Returns the first run that began, if any, when all
 * are at rest.
 */
const contend = async (
  race: Race,
  sent: Sent & { runId: string },
  rivals: readonly Rival[],
): Promise<Sent & { runId: string }> => {
  const { users, chat, random } = race
  const plans = rivals.map((rival) => ({
    rival,
    waitMs: moment(random, 300),
    stopMs: random.chance(0.5) ? moment(random, 1500) : undefined,
  }))
  const begin = async ({ rival, waitMs, stopMs }: (typeof plans)[number]): Promise<Started | Queued | undefined> => {
    await sleep(waitMs)
    const started = await rival()
    if (typeof started === 'object' && 'runId' in started && stopMs !== undefined)
      await stopAfter(race, started.runId, stopMs)
    return started
  }
  const begun = (await Promise.all(plans.map(begin))).filter((one) => typeof one === 'object')
  const live = begun.flatMap((one) => ('runId' in one ? [one.runId] : []))
  for (const runId of live) await chat.client.untilEnded(runId)
  await chat.client.resume(chat.chatId)
  // A message that a stop held begins only now; one that could no longer be answered started nothing.
  const followed: (string | undefined)[] = []
  for (const one of begun) followed.push(await users.follow(chat, one))
  const runId = live[0] ?? followed.find((one) => one !== undefined) ?? sent.runId
  race.noteRun(runId)
  return { ...sent, runId }
}
