import { followSent } from './busy.ts'
import {
  createClient,
  DeadlinePassed,
  UnexpectedResponse,
  type ClientContext,
  type Queued,
  type Started,
} from './client.ts'
import { followRun, readStream } from './client-stream.ts'
import { deriveExpectation, writePlan, type Plan } from '../external-services/plan.ts'
import type { Random } from '../../world/random.ts'
import type { Operation, StoredMessage } from '../records/records.ts'
import { drawTurn, showEffects, type Habit, type Mix, type Request, type Turn } from './workload-script.ts'

type ChatState = { sessionId: string; chatId: string; messages: object[] }
type Run = Extract<Started, object>
type Submission = {
  operation: Pick<Operation, 'chatId' | 'userMessageId' | 'effectTokens' | 'expectedText' | 'onBusy'> & {
    kind: 'send' | 'answer' | 'headless'
    idempotencyKey: string
  }
  body: object
}

const provisionWaitMs = 130_000
/** Maximum number of messages in a request, which limits its size in long chats. */
const maxHistoryMessages = 20
const pauseAfterFailureMs = 1000

const questionPart = 'tool-ask_user_question'

const createMessage = ({ messageId, plan }: Request): object => ({
  id: messageId,
  role: 'user',
  content: writePlan(plan),
})

const deriveFields = (plan: Plan, from = 0): Pick<Operation, 'effectTokens' | 'expectedText'> => {
  const { text, tokens } = deriveExpectation(plan, from)
  return { effectTokens: tokens, ...(text !== undefined && { expectedText: text }) }
}

const buildBody = ({ sessionId, chatId }: ChatState, messages: object[]): object => ({
  sessionId,
  chatId,
  messages: messages.slice(-maxHistoryMessages),
})

/** Whether one of the messages steers. It may join any running turn, so that the text of earlier turns is unpredictable. */
const hasSteering = (sent: Turn['followUps']): boolean => sent.some(({ onBusy }) => onBusy === 'steer')

/** Builds the submission of a message. `isSteered`: the text of its turn is unpredictable. */
const createSubmission = (chat: ChatState, request: Request, isSteered = false): Submission => {
  const { key: idempotencyKey, messageId: userMessageId, plan } = request
  const operation = { kind: 'send' as const, chatId: chat.chatId, idempotencyKey, userMessageId }
  return {
    operation: { ...operation, ...(isSteered ? { effectTokens: [] } : deriveFields(plan)) },
    body: buildBody(chat, [...chat.messages, createMessage(request)]),
  }
}

/** Returns the message with an answer to its open question, or undefined if it has none. */
const answerQuestion = (message: StoredMessage | undefined): StoredMessage | undefined => {
  const open = message?.parts.find((part) => part['type'] === questionPart && part['state'] === 'input-available')
  if (message?.role !== 'assistant' || open === undefined) return undefined
  const output = { answers: { 'Shall I go on?': 'Yes' } }
  const parts = message.parts.map((part) => (part === open ? { ...part, state: 'output-available', output } : part))
  return { ...message, parts }
}

export type UserOptions = {
  /** Unique prefix of plans, keys and message ids. */
  name: string
  key: string
  random: Random
  mix: Mix
  /** Whether commands print the files of all earlier commands, for the check of stale files. */
  showsEffects?: boolean
  /** Aborts when the user must start no further turn. */
  stopping: AbortSignal
}

/** Runs a virtual user who creates a session and sends turns in its chats until the workload stops. */
export const runUser = async (context: ClientContext, options: UserOptions): Promise<void> => {
  const { name, random, mix, stopping } = options
  const client = createClient(context, { key: options.key, name, random: random.fork('hops') })
  /** Runs that no client reads but that must end. */
  const unreadRuns: Promise<void>[] = []
  let chatState: ChatState | undefined
  let sessionCount = 0

  const provision = (sessionId: string) => client.prepare('/api/sandbox', { sessionId }, { waitMs: provisionWaitMs })

  const openSession = async (): Promise<ChatState> => {
    const { json } = await client.prepare(
      '/api/sessions',
      { title: name },
      { key: `${name}-session-${sessionCount++}` },
    )
    const { session, chat } = json as { session: { id: string }; chat: { id: string } }
    await provision(session.id)
    return { sessionId: session.id, chatId: chat.id, messages: [] }
  }

  const openChat = async ({ sessionId }: ChatState): Promise<ChatState> => {
    const path = `/api/sessions/${sessionId}/chats`
    const { json } = await client.prepare(path, {}, { key: `${name}-chat-${sessionCount++}` })
    return { sessionId, chatId: (json as { chat: { id: string } }).chat.id, messages: [] }
  }

  /** Submits a message. Starts the sandbox again if it has stopped. */
  const submit = async ({ sessionId }: ChatState, { operation, body }: Submission) => {
    for (;;) {
      const started = await client.submit('/api/chat', operation, body)
      if (started !== 'no sandbox') return started
      await provision(sessionId)
    }
  }

  const load = async (chat: ChatState): Promise<StoredMessage[]> => {
    const { messages } = await client.load(chat.sessionId, chat.chatId)
    chat.messages = messages
    return messages
  }

  /** Reads the whole log again with the key that started the run. */
  const readAgain = async ({ operation, body }: Submission): Promise<void> => {
    const again = await client.start('/api/chat', { ...operation, kind: 'repeat' }, body)
    if (typeof again === 'string') return context.reportUnexpected(`${name}: a replay was rejected: ${again}`)
    if (again.body !== undefined) await readStream(context, again, { body: again.body, openedAt: Date.now() })
  }

  /** Reads a run in one tab or two, until it ends or the client disconnects permanently. */
  const read = async (chat: ChatState, run: Run, habit: Habit, isDeleted = false): Promise<void> => {
    const tabs = [followRun(context, client, run, { first: run.body, habit })]
    if (habit.hasSecondTab) tabs.push(followRun(context, client, run))
    const outcomes = await Promise.all(tabs)
    if (outcomes[0] === 'left') {
      unreadRuns.push(client.untilEnded(run.runId))
      chatState = undefined
      return
    }
    if (!outcomes.includes('done')) await client.untilEnded(run.runId)
    if (!isDeleted && (outcomes[0] === 'over' || habit.reloads)) await load(chat)
  }

  const answerOpenQuestion = async (chat: ChatState, request: Request, habit: Habit): Promise<void> => {
    const messages = await load(chat)
    const message = answerQuestion(messages.at(-1))
    const { next } = deriveExpectation(request.plan)
    // A fault has ended the run before its question.
    if (message === undefined || next === undefined) return
    const run = await submit(chat, {
      operation: {
        kind: 'answer',
        chatId: chat.chatId,
        idempotencyKey: request.key,
        ...deriveFields(request.plan, next),
      },
      body: buildBody(chat, [...messages.slice(0, -1), message]),
    })
    if (typeof run === 'string' || !('runId' in run))
      return context.reportUnexpected(`${name}: an answer was rejected: ${JSON.stringify(run)}`)
    await read(chat, run, habit)
  }

  const endLater = async (chat: ChatState, { runId }: Run, { kind, endsAfterMs }: Turn): Promise<void> => {
    const endOnce = async (ms: number): Promise<void> => {
      await client.pause(ms)
      if (kind === 'stop') await client.stop(chat.chatId, runId)
      else await client.deleteSession(chat.sessionId, chat.chatId)
    }
    await Promise.all(endsAfterMs.map(endOnce))
  }

  const sendFollowUps = async (chat: ChatState, { followUps }: Turn): Promise<(Run | Queued)[]> => {
    const sent: (Run | Queued)[] = []
    for (const [index, { request, onBusy, afterMs }] of followUps.entries()) {
      await client.pause(afterMs)
      const { operation, body } = createSubmission(chat, request, hasSteering(followUps.slice(index)))
      const started = await submit(chat, { operation: { ...operation, onBusy }, body: { ...body, onBusy } })
      if (typeof started === 'string') context.reportUnexpected(`${name}: ${request.key} was not queued: ${started}`)
      else sent.push(started)
    }
    return sent
  }

  /** Follows each message to the end of its turn. Resumes messages that a failed turn holds. */
  const followAll = async (chat: ChatState, sent: (Run | Queued)[]): Promise<void> => {
    for (const message of sent) {
      if ('queueId' in message)
        while ((await client.untilDecided(message)).state === 'waiting') {
          await provision(chat.sessionId)
          await client.resume(chat.chatId)
        }
      await followSent(context, { client, chatId: chat.chatId }, message)
    }
    await load(chat)
  }

  const converse = async (chat: ChatState, turn: Turn): Promise<void> => {
    const { request, rival, habit } = turn
    const requests = [request, ...(rival === undefined ? [] : [rival]), ...(turn.kind === 'duplicate' ? [request] : [])]
    const submissions = requests.map((sentRequest) => createSubmission(chat, sentRequest, hasSteering(turn.followUps)))
    const started = await Promise.all(submissions.map((submission) => submit(chat, submission)))
    const first = started.findIndex((result) => typeof result === 'object')
    const run = started[first] as Run | undefined
    if (run === undefined)
      return context.reportUnexpected(`${name}: ${request.key} was rejected: ${JSON.stringify(started)}`)
    chat.messages = [...chat.messages, createMessage(requests[first] ?? request)]
    const others = started.filter(
      (result): result is Run => typeof result === 'object' && 'runId' in result && result !== run,
    )
    const isDeleted = turn.kind === 'delete'
    const [followUps] = await Promise.all([
      sendFollowUps(chat, turn),
      read(chat, run, habit, isDeleted),
      ...others.map((other) => followRun(context, client, other, { first: other.body })),
      endLater(chat, run, turn),
    ])
    if (followUps.length > 0) await followAll(chat, followUps)
    if (isDeleted) chatState = undefined
    else if (habit.readsAgain) await readAgain(submissions[first]!)
    if (turn.answer !== undefined) await answerOpenQuestion(chat, turn.answer, habit)
  }

  const runHeadless = async ({ request, habit }: Turn): Promise<void> => {
    const { key: idempotencyKey, messageId: userMessageId, plan } = request
    const operation = { kind: 'headless' as const, chatId: '', idempotencyKey, userMessageId, ...deriveFields(plan) }
    const body = { title: name, messages: [createMessage(request)] }
    const run = await client.start('/api/chat/runs', operation, body)
    if (typeof run === 'string') return context.reportUnexpected(`${name}: a headless run was rejected: ${run}`)
    const watching = habit.hasSecondTab
      ? [followRun(context, client, run, { habit: { ...habit, isPermanent: false } })]
      : []
    await Promise.all([client.untilEnded(run.runId), ...watching])
    if (habit.reloads) await client.load(run.sessionId ?? '', run.chatId)
    if (habit.readsAgain) await client.start('/api/chat/runs', { ...operation, kind: 'repeat' }, body)
  }

  const takeTurn = async (turn: Turn): Promise<void> => {
    if (turn.kind === 'headless') return runHeadless(turn)
    if (chatState === undefined || turn.place === 'new session') chatState = await openSession()
    else if (turn.place === 'new chat') chatState = await openChat(chatState)
    await converse(chatState, turn)
  }

  for (let number = 0; !stopping.aborted; number++) {
    const drawn = drawTurn(random.fork(`turn-${number}`), `${name}t${number}`, mix)
    const turn = options.showsEffects === true ? showEffects(drawn) : drawn
    try {
      await client.pause(turn.thinkMs)
      await takeTurn(turn)
    } catch (error) {
      if (error instanceof DeadlinePassed) break
      if (!(error instanceof UnexpectedResponse)) context.reportUnexpected(`${name}: ${String(error)}`)
      chatState = undefined
      await client.pause(pauseAfterFailureMs).catch(() => {})
    }
  }
  await Promise.allSettled(unreadRuns)
}
