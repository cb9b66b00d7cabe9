import type { Fault, Operation, RunRow, Store } from '../../records/records.ts'
import { insertFrame } from './insert.ts'
import { createEmptyRecords, ends, type Call, type RunRecord, type Turn } from './turns.ts'

/** Milliseconds between a failure and the next attempt. */
const retryPauseMs = 1000

/** Milliseconds between two turns, so that the checker does not relate the faults of one turn to the other. */
const betweenTurnsMs = 20_000

/** Builds the records of a correct system. */
export const createRecordBuilder = () => {
  const records = createEmptyRecords()
  const { store } = records
  let now = records.startedAt
  /** Tokens of the calls that wait for approval. */
  const unapproved = new Map<string, string>()
  const tick = (ms = 10): number => (now += ms)

  const addChat = (): string => {
    const id = `chat-${store.chats.length + 1}`
    store.chats.push({ id, activeStreamId: null })
    return id
  }

  const addOperation = (fields: Omit<Operation, 'id' | 'requestedAt'>): Operation => {
    const added = { id: `operation-${records.operations.length + 1}`, requestedAt: tick(), ...fields }
    records.operations.push(added)
    return added
  }

  const respond = (operationRecord: Operation, status: number): void => {
    operationRecord.status = status
    operationRecord.answeredAt = tick()
  }

  const addFault = (kind: string, target: string, during: () => void): Fault => {
    const injectedFault: Fault = { kind, target, at: tick(), observed: true, evidence: 'seen' }
    records.faults.push(injectedFault)
    during()
    injectedFault.until = tick()
    tick(betweenTurnsMs)
    return injectedFault
  }

  const addTurn = (turnFields: Turn): RunRecord => {
    const { chatId, steps, continues } = turnFields
    const end = ends[turnFields.end ?? 'natural']
    const number = store.runs.length + 1
    tick(betweenTurnsMs)
    const runId = `wrun_${number}`
    const sent = addOperation({
      kind: continues === undefined ? 'send' : 'answer',
      chatId,
      idempotencyKey: `key-${number}`,
      ...(continues === undefined && { userMessageId: `user-${number}` }),
      effectTokens: steps.flatMap(({ call }) => (call === undefined ? [] : [call.token])),
      expectedText: steps.map(({ text }) => text).join(''),
    })
    const createdAt = tick()
    const continuedRun = continues === undefined ? undefined : store.runs.find(({ id }) => id === continues)
    const assistantMessageId = continuedRun?.assistantMessageId ?? `answer-${number}`
    if (continuedRun === undefined) {
      const parts = [{ type: 'text', text: `question ${number}` }]
      const position = store.messages.length
      store.messages.push({ id: `user-${number}`, role: 'user', parts, chatId, position, createdAt })
    }
    if (turnFields.unanswered !== true) {
      respond(sent, 200)
      sent.runId = runId
    }
    const message: Store['messages'][number] = store.messages.find(
      (stored) => stored.chatId === chatId && stored.id === assistantMessageId,
    ) ?? {
      id: assistantMessageId,
      role: 'assistant',
      parts: [],
      chatId,
      position: store.messages.length,
      createdAt: now,
    }
    if (continuedRun === undefined) store.messages.push(message)
    for (const part of message.parts)
      if (part['state'] === 'input-available')
        Object.assign(part, { state: 'output-available', output: { answers: {} } })

    const frames: { index: number; body: string; at: number }[] = []
    const writeFrame = (frame: object): void => {
      frames.push({ index: frames.length, body: JSON.stringify(frame), at: tick() })
    }
    const request = (step: number, attempt: number, outcome: string, writeFrames: () => void): void => {
      const key = `${runId}:${step}:${attempt}`
      const addedRequest = { service: 'model' as const, idempotencyKey: key, at: tick(), outcome }
      records.externalRequests.push(addedRequest)
      writeFrames()
      Object.assign(addedRequest, { closedAt: tick() })
    }
    const text = (id: string, delta: string): void => {
      writeFrame({ type: 'text-start', id })
      for (const word of delta.match(/\S+\s*/g) ?? []) writeFrame({ type: 'text-delta', id, delta: word })
      writeFrame({ type: 'text-end', id })
    }

    /** Adds the effect and the result of an executed call. */
    const execute = (part: Record<string, unknown>, step: number, { token, output }: Call): void => {
      const result = output ?? { success: true, exitCode: 0, stdout: '' }
      const toolCallId = String(part['toolCallId'])
      const startedAt = tick()
      records.effects.push({ token, count: 1 })
      store.toolCalls.push({ runId, toolCallId, step, startedAt, endedAt: tick() })
      writeFrame({ type: 'tool-output-available', toolCallId, output: result })
      Object.assign(part, { state: 'output-available', output: result })
    }

    writeFrame({ type: 'start', messageId: assistantMessageId })
    const approved = message.parts.find(({ state }) => state === 'approval-requested')
    if (approved !== undefined) {
      store.steps.push({ runId, step: 0, attempt: 0, finishReason: 'tool-calls', createdAt: tick() })
      execute(approved, 0, { token: unapproved.get(String(approved['toolCallId'])) ?? '' })
    }
    const completedRounds = approved === undefined ? 0 : 1
    for (const [index, { text: words, call, abandoned }] of steps.entries()) {
      const step = completedRounds + index
      let attempt = 1
      const first = frames.length
      writeFrame({ type: 'start-step' })
      if (abandoned !== undefined) {
        request(step, attempt, 'cut', () => text(`txt_${step}_1_0`, abandoned))
        writeFrame({ type: 'finish-step' })
        const data = { step, attempt, fromIndex: first, toIndex: frames.length - 1, partIds: [], toolCallIds: [] }
        writeFrame({ type: 'data-retract', id: `${runId}:${step}:1`, data, transient: true })
        store.attempts.push({ runId, step, attempt, reason: 'model_error' })
        tick(retryPauseMs)
        attempt++
        writeFrame({ type: 'start-step' })
      }
      const isLast = index === steps.length - 1
      const isFailed = isLast && end.status === 'failed'
      message.parts.push({ type: 'step-start' })
      request(step, attempt, isFailed ? '400' : isLast && end.status === 'cancelled' ? 'aborted' : 'whole', () =>
        text(`txt_${step}_${attempt}_0`, words),
      )
      message.parts.push({ type: 'text', text: words, state: 'done' })
      if (!isFailed && !(isLast && end.status === 'cancelled')) {
        writeFrame({ type: 'message-metadata', messageMetadata: {} })
        const finishReason = call === undefined ? 'stop' : 'tool-calls'
        store.steps.push({ runId, step, attempt, finishReason, createdAt: tick() })
      }
      const isAwaitingUser = isLast && end.endReason === 'awaiting_user'
      if (call !== undefined || isAwaitingUser) {
        const toolCallId = `call_${number}_${step}`
        const toolName = call === undefined ? 'ask_user_question' : 'bash'
        const input = call === undefined ? { questions: [] } : { command: `echo ${call.token} >> effects.txt` }
        writeFrame({ type: 'tool-input-start', toolCallId, toolName })
        writeFrame({ type: 'tool-input-available', toolCallId, toolName, input })
        const part = { type: `tool-${toolName}`, toolCallId, state: 'input-available', input }
        message.parts.push(part)
        if (call !== undefined && isAwaitingUser) {
          writeFrame({ type: 'tool-approval-request', approvalId: `apr_${number}`, toolCallId })
          part.state = 'approval-requested'
          unapproved.set(toolCallId, call.token)
        } else if (call !== undefined) execute(part, step, call)
      }
      writeFrame({ type: 'finish-step' })
    }
    const stop = end.status === 'cancelled' ? addOperation({ kind: 'stop', chatId, runId }) : undefined
    const stopRequestedAt = stop === undefined ? null : tick()
    const endedAt = tick()
    for (const frame of end.before) writeFrame(frame)
    writeFrame({ type: 'finish', finishReason: end.finishReason, messageMetadata: { endReason: end.endReason } })
    if (stop !== undefined) respond(stop, 200)
    message.metadata = { runId, endReason: end.endReason }

    const row: RunRow = {
      id: runId,
      accountId: 'account',
      chatId,
      status: end.status,
      endReason: end.endReason,
      error: end.status === 'failed' ? 'The model call failed' : null,
      assistantMessageId,
      createdAt,
      endedAt,
      stopRequestedAt,
      batches: 1,
    }
    store.runs.push(row)
    store.frames.push(...frames.map(({ index, body }) => ({ runId, seq: index, body })))
    if (end.status !== 'failed') {
      store.ledger.push({
        accountId: 'account',
        reference: `chat:${runId}:main:model`,
        amount: -10,
        createdAt: endedAt,
      })
      store.balances[0]!.balance -= 10
    }
    const closedAt = tick()
    const workflow = { workflowId: runId, status: 'COMPLETED', startedAt: createdAt, closedAt, events: 20 }
    records.workflows.push({ ...workflow, largestPayload: 100 })
    const [opened, half] = [frames[0]!.at - 1, Math.ceil(frames.length / 2)]
    const common = { runId, chatId, openedAt: opened }
    const early = frames.slice(0, half)
    records.readings.push(
      { ...common, endedAt: closedAt, frames, end: 'done' },
      { ...common, endedAt: early.at(-1)!.at, frames: early, end: 'left' },
      {
        ...common,
        after: half - 1,
        openedAt: early.at(-1)!.at,
        endedAt: closedAt,
        frames: frames.slice(half),
        end: 'done',
      },
    )
    return { runId, operation: sent, row, endedAt }
  }

  /** Adds a turn that a message joins, and two queued messages that a stop holds and a resume releases. */
  const addQueuedMessages = (): void => {
    const chatId = addChat()
    const first = addTurn({ chatId, steps: [{ text: 'u v' }, { text: 'w x' }] })
    const entry = (state: string, onBusy: string, runId: string | null): Store['queue'][number] => {
      const row = {
        id: `queued-${store.queue.length + 1}`,
        chatId,
        messageId: '',
        state,
        onBusy,
        runId,
        createdAt: now,
      }
      store.queue.push(row)
      return row
    }
    const steered = entry('steered', 'steer', first.runId)
    joinRun(first.runId, steered.id)
    const accept = (onBusy: string): void => {
      const row = entry('accepted', onBusy, null)
      const queuedOperation = addOperation({ kind: 'send', chatId, onBusy, queueId: row.id })
      respond(queuedOperation, 202)
      row.messageId = `user-${store.runs.length + 1}`
      queuedOperation.userMessageId = row.messageId
      const stop = addOperation({ kind: 'stop', chatId })
      respond(stop, 200)
      respond(addOperation({ kind: 'resume', chatId }), 200)
      row.runId = addTurn({ chatId, steps: [{ text: 'y z' }], unanswered: true }).runId
    }
    accept('queue')
    accept('queue')
  }

  /** Inserts a steering message between the two steps of a run, in the log, its readings and the store. */
  const joinRun = (runId: string, id: string): void => {
    const frame = { type: 'data-steer', id, data: { index: 0, step: 1, messageId: `${id}-message`, parts: [] } }
    let endedSteps = 0
    insertFrame(records, runId, frame, {
      isNext: (body) => {
        const isNext = endedSteps > 0
        if (body === '{"type":"finish-step"}') endedSteps++
        return isNext
      },
      partAt: (parts) => parts.findLastIndex((part) => part['type'] === 'step-start'),
    })
  }

  const addLoad = (chatId: string): Operation => {
    const messages = store.messages.filter((stored) => stored.chatId === chatId)
    const loadOperation = addOperation({
      kind: 'load',
      chatId,
      loaded: structuredClone({ messages, isStreaming: false }),
    })
    respond(loadOperation, 200)
    return loadOperation
  }

  return { records, addChat, addOperation, respond, addFault, addTurn, addQueuedMessages, addLoad, tick }
}
