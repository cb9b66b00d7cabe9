/**
 * The records of one run of the harness, which are all that the checker may read. Times are milliseconds of one clock: every
 * process of a run is on one machine.
 */
export type Records = {
  seed: number
  startedAt: number
  endedAt: number
  operations: Operation[]
  readings: Reading[]
  faults: Fault[]
  outside: OutsideRequest[]
  effects: Effect[]
  samples: MemorySample[]
  store: Store
  workflows: WorkflowRecord[]
}

/** One HTTP request of a client other than a reading, with its response. */
export type Operation = {
  id: string
  /**
   * `repeat` sends an earlier request again under its idempotency key; `delete` deletes the chat or its session; `resume` ends
   * the hold of what waits in the chat.
   */
  kind: 'send' | 'repeat' | 'answer' | 'headless' | 'stop' | 'load' | 'delete' | 'resume'
  chatId: string
  requestedAt: number
  /** Undefined: the connection broke before a response, and the client cannot know the outcome of the request. */
  answeredAt?: number
  status?: number
  retryAfter?: string
  /** The run that the response names. */
  runId?: string
  /** The behavior that the client requested for a busy chat. */
  onBusy?: string
  /** The queue entry of a waiting message. */
  queueId?: string
  idempotencyKey?: string
  userMessageId?: string
  /** Tokens of the effects that the tools of this turn have exactly once each. */
  effectTokens?: string[]
  /** Text of the turn's model without disturbances: its visible text over all steps. */
  expectedText?: string
  /** Body of a `load`: the chat as the client received it. */
  loaded?: LoadedChat
}

/** `branch`: the branch that is shown; absent for the trunk. */
export type LoadedChat = { messages: StoredMessage[]; isStreaming: boolean; branch?: string }

export type StoredMessage = {
  id: string
  role: string
  parts: Record<string, unknown>[]
  metadata?: Record<string, unknown>
}

/** One response body of a run's stream, from opening to end. */
export type Reading = {
  runId: string
  chatId: string
  /** The `Last-Event-ID` that was sent; undefined: from the first frame. */
  after?: number
  openedAt: number
  endedAt: number
  frames: { index: number; body: string; at: number }[]
  /** `done`: `[DONE]` arrived. `left`: the reader disconnected. `cut`: anything else. */
  end: 'done' | 'left' | 'cut'
}

export type Fault = {
  kind: string
  /** The affected part: `worker-1`, `api-1`, `postgres`, `temporal`, `model`, … */
  target: string
  at: number
  /** When the part worked again; undefined if it never did. */
  until?: number
  /** Whether the harness observed the fault, and what it observed. */
  observed: boolean
  evidence: string
}

/** One request that the fake outside world received. */
export type OutsideRequest = {
  service: 'model'
  /**
   * `<run id>:<step>:<attempt>`; for a sub-agent `<run id>:<tool call id>:<step>:<attempt>`; for a summary `compact:<run
   * id>:<step>:<attempt>`, or `compact:<chat id>:<message id>:<attempt>` for one on request.
   */
  idempotencyKey: string
  at: number
  closedAt?: number
  /** Behavior of the world: `whole`, `cut`, `hang`, `garbage`, a status code, … */
  outcome: string
}

/** How often an effect is found in the sandbox in which a tool left it. */
export type Effect = { token: string; count: number }

export type MemorySample = { part: string; pid: number; at: number; rssBytes: number }

/** The content of Postgres when the work is at rest. */
export type Store = {
  runs: RunRow[]
  frames: { runId: string; seq: number; body: string }[]
  messages: (StoredMessage & { chatId: string; position: number; createdAt: number; branchId?: string | null })[]
  steps: { runId: string; step: number; attempt: number; finishReason: string; createdAt: number }[]
  /** Attempts at model calls that another one took over, and why: `model_error`, `timeout` or `worker_lost`. */
  attempts: { runId: string; step: number; attempt: number; reason: string }[]
  toolCalls: { runId: string; toolCallId: string; step: number; startedAt: number | null; endedAt: number | null }[]
  ledger: { accountId: string; reference: string; amount: number; createdAt: number }[]
  balances: { accountId: string; balance: number }[]
  chats: { id: string; activeStreamId: string | null; hold?: string | null }[]
  queue: QueueRow[]
}

/** A message that waited for its chat. */
export type QueueRow = {
  id: string
  chatId: string
  messageId: string
  state: string
  onBusy: string
  runId: string | null
  createdAt: number
}

export type RunRow = {
  id: string
  accountId: string
  chatId: string
  /** Deleting a session deletes all its chats. */
  sessionId?: string
  status: string
  endReason: string | null
  error: string | null
  assistantMessageId: string
  createdAt: number
  endedAt: number | null
  stopRequestedAt: number | null
}

export type WorkflowRecord = {
  workflowId: string
  status: string
  startedAt: number
  closedAt: number | null
  events: number
  /** Largest payload of the history in bytes. */
  largestPayload: number
}

export type GuaranteeId = 'G1' | 'G2' | 'G3' | 'G4' | 'G5' | 'G6' | 'G7' | 'G11' | 'G12' | 'G13' | 'G17'

/** A broken promise: which one, for which subject, and what the records show. */
export type Violation = { guarantee: GuaranteeId; subject: string; text: string }
