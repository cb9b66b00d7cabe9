import type {
  Fault,
  Operation,
  ExternalRequest,
  GuaranteeId,
  Reading,
  Records,
  RunRow,
  Store,
  Violation,
  WorkflowRecord,
} from '../../records/records.ts'

export type Limits = {
  /** Maximum time by which another process may record an event later than its cause. */
  skewMs: number
  /** Maximum time from a recorded stop to the end of running work. */
  stopMs: number
  /** Duration after which a run may fail with its time limit. */
  runTimeMs: number
  /** Maximum resident memory of a part. */
  memoryBytes: number
}

export const defaultLimits: Limits = {
  skewMs: 300,
  stopMs: 10_000,
  runTimeMs: 14_400_000,
  memoryBytes: 1024 ** 3,
}

export type Frame = { type: string; [member: string]: unknown }
export type LogFrame = { index: number; body: string; frame: Frame }
/**
 * `call` is the same for all attempts of one model call. `step` is NaN for a sub-agent, a commit message and a
 * summary.
 */
type Request = ExternalRequest & { runId: string; call: string; step: number; attempt: number }

/** One run with its evidence from every source. */
export type RunEvidence = {
  row: RunRow
  /** Infinity for a run that has not ended. */
  endedAt: number
  log: LogFrame[]
  readings: Reading[]
  requests: Request[]
  steps: Store['steps']
  attempts: Store['attempts']
  toolCalls: Store['toolCalls']
  workflow: WorkflowRecord | undefined
  /** The user's message that was stored with the run. Undefined for an answered question and in a deleted chat. */
  userMessage: Store['messages'][number] | undefined
  /** Client requests that may have started this run. */
  origins: Operation[]
}

export type Evidence = {
  records: Records
  limits: Limits
  runs: RunEvidence[]
  runById: Map<string, RunEvidence>
  /** Chats that a client requested to delete. */
  deletedChats: Set<string>
  findMessage: (chatId: string, id: string | undefined) => Store['messages'][number] | undefined
  /** Finds an observed fault whose duration includes the given time. */
  faultDuring: (from: number, to: number, isIncluded?: (fault: Fault) => boolean) => Fault | undefined
}

export const createViolation = (guarantee: GuaranteeId, subject: string, text: string): Violation => ({
  guarantee,
  subject,
  text,
})

export const isStart = ({ kind }: Operation): boolean =>
  kind === 'send' || kind === 'repeat' || kind === 'answer' || kind === 'headless'

export const isAccepted = (operation: Operation): boolean =>
  isStart(operation) && (operation.status === 200 || operation.status === 202)

/** Whether the client cannot know the outcome: no response arrived, or an error that may follow a commit. */
const isUncertain = ({ status }: Operation): boolean => status === undefined || status >= 500

/** Whether a stop or a deletion applies to the run. A deletion applies to all chats of the session. */
export const concerns = (operation: Operation, { row }: RunEvidence, { runs }: Evidence): boolean =>
  operation.chatId === row.chatId ||
  (operation.kind === 'delete' &&
    row.sessionId !== undefined &&
    runs.some((other) => other.row.chatId === operation.chatId && other.row.sessionId === row.sessionId))

/** Whether no other operation with the message of this rejected operation was accepted, or may have been accepted. */
export const isNeverAccepted = (refused: Operation, operations: readonly Operation[]): boolean =>
  !operations.some(
    (operation) =>
      operation !== refused &&
      isStart(operation) &&
      operation.userMessageId === refused.userMessageId &&
      (isAccepted(operation) || isUncertain(operation)),
  )

export const isTerminal = (status: string): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** Whether the fault may lose the files of a machine's sandboxes. */
export const isMachineFault = ({ kind, observed }: Fault): boolean => observed && kind.startsWith('machine')

export const isDeploy = ({ kind }: Fault): boolean => kind === 'deploy' || kind === 'rollback'

/**
 * Whether the fault can delay a worker between its receipt and its request. Such a worker sends the request when it
 * continues, then detects that it was replaced and abandons the turn.
 */
const canDelayWorker = ({ kind, target }: Fault): boolean =>
  target !== 'model' && /zombie|pause|slow|stall|cut|bytewise|listen|lock/.test(kind)

export const wasHeldUp = ({ faultDuring, limits }: Evidence, from: number, at: number): boolean =>
  faultDuring(Math.max(from, at - limits.stopMs), at, canDelayWorker) !== undefined

export const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

const parseFrame = (body: string): Frame => {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string')
      return value as Frame
  } catch {
    // A body that is not JSON gets the type below, which no frame has.
  }
  return { type: 'not a frame' }
}

export const toLog = (frames: readonly { index: number; body: string }[]): LogFrame[] =>
  frames.map(({ index, body }) => ({ index, body, frame: parseFrame(body) }))

/** Returns the id of the run that called the model, or of the chat for which a user requested a summary. */
export const parseRequester = ({ idempotencyKey }: Pick<ExternalRequest, 'idempotencyKey'>): string => {
  const [first = '', second = ''] = idempotencyKey.split(':')
  return first === 'compact' ? second : first
}

const parseRequest = (request: ExternalRequest): Request => {
  const keyParts = request.idempotencyKey.split(':')
  const attempt = Number(keyParts.pop())
  const step = keyParts.length === 2 ? Number(keyParts[1]) : NaN
  return { ...request, runId: parseRequester(request), call: keyParts.join(':'), step, attempt }
}

/** Requests that start runs, indexed by run and by message. */
type Starts = {
  byRun: Map<string, Operation[]>
  byMessage: Map<string, Operation[]>
  /** Operations with an unknown outcome. */
  uncertain: Operation[]
}

const listStarts = (operations: readonly Operation[]): Starts => {
  const starts = operations.filter(isStart)
  return {
    byRun: groupBy(starts.filter(isAccepted), ({ runId }) => runId ?? ''),
    byMessage: groupBy(starts, ({ userMessageId }) => userMessageId ?? ''),
    uncertain: starts.filter(isUncertain),
  }
}

const listOrigins = (row: RunRow, userMessageId: string | undefined, starts: Starts): Operation[] => {
  const { byRun, byMessage, uncertain } = starts
  const sent = userMessageId === undefined ? [] : (byMessage.get(userMessageId) ?? [])
  const certain = new Set([...(byRun.get(row.id) ?? []), ...sent])
  if (certain.size > 0) return [...certain]
  // The client chooses no message id for the answer to a question or a background prompt.
  return uncertain.filter(
    (operation) =>
      operation.requestedAt <= row.createdAt &&
      (operation.chatId === row.chatId
        ? operation.kind !== 'send' || userMessageId === undefined
        : operation.kind === 'headless'),
  )
}

const listDeleted = (operations: Operation[], runs: RunRow[]): Set<string> => {
  const deletions = operations.filter(
    (operation) => operation.kind === 'delete' && (operation.status === 200 || isUncertain(operation)),
  )
  const chats = new Set(deletions.map(({ chatId }) => chatId))
  const sessions = new Set(runs.flatMap(({ chatId, sessionId }) => (chats.has(chatId) ? [sessionId] : [])))
  for (const { chatId, sessionId } of runs) if (sessionId !== undefined && sessions.has(sessionId)) chats.add(chatId)
  return chats
}

/** Joins the records of each run from every source. */
export const joinRecords = (records: Records, limits: Limits): Evidence => {
  const { store, operations, faults } = records
  const frames = groupBy(store.frames, ({ runId }) => runId)
  const readings = groupBy(records.readings, ({ runId }) => runId)
  const requests = groupBy(records.externalRequests.map(parseRequest), ({ runId }) => runId)
  const steps = groupBy(store.steps, ({ runId }) => runId)
  const attempts = groupBy(store.attempts, ({ runId }) => runId)
  const toolCalls = groupBy(store.toolCalls, ({ runId }) => runId)
  const workflows = new Map(records.workflows.map((workflow) => [workflow.workflowId, workflow]))
  const userMessagesByChat = groupBy(
    store.messages.filter(({ role }) => role === 'user'),
    ({ chatId }) => chatId,
  )
  const starts = listStarts(operations)
  const runs = store.runs.map((row): RunEvidence => {
    // Message and run are inserted in one transaction, so their times are equal.
    const userMessage = userMessagesByChat.get(row.chatId)?.find(({ createdAt }) => createdAt === row.createdAt)
    return {
      row,
      endedAt: row.endedAt ?? Infinity,
      log: toLog((frames.get(row.id) ?? []).map(({ seq, body }) => ({ index: seq, body }))).sort(
        (left, right) => left.index - right.index,
      ),
      readings: readings.get(row.id) ?? [],
      requests: (requests.get(row.id) ?? []).sort((left, right) => left.at - right.at),
      steps: steps.get(row.id) ?? [],
      attempts: attempts.get(row.id) ?? [],
      toolCalls: toolCalls.get(row.id) ?? [],
      workflow: workflows.get(row.id),
      userMessage,
      origins: listOrigins(row, userMessage?.id, starts),
    }
  })
  const messages = new Map(store.messages.map((message) => [`${message.chatId} ${message.id}`, message]))
  runs.sort((left, right) => left.row.createdAt - right.row.createdAt)
  return {
    records,
    limits,
    runs,
    runById: new Map(runs.map((run) => [run.row.id, run])),
    findMessage: (chatId, id) => messages.get(`${chatId} ${id}`),
    deletedChats: listDeleted(operations, store.runs),
    faultDuring: (from, to, isIncluded = () => true) =>
      faults.find(
        (fault) => fault.observed && isIncluded(fault) && fault.at <= to && (fault.until ?? records.endedAt) >= from,
      ),
  }
}
