/**
 * The records of one run of the harness, which are the only input of the checker. Times are milliseconds of one clock,
 * because all processes run on one machine.
 */
export type Records = {
  seed: number
  startedAt: number
  endedAt: number
  operations: Operation[]
  readings: Reading[]
  faults: Fault[]
  externalRequests: ExternalRequest[]
  effects: Effect[]
  sandboxes: SandboxRecord[]
  samples: MemorySample[]
  store: Store
  workflows: WorkflowRecord[]
}

/** One HTTP request of a client other than a reading, with its response. */
export type Operation = {
  id: string
  /**
   * `repeat` sends an earlier request again with its idempotency key. `delete` deletes the session of the chat. `resume`
   * releases the queue of the chat.
   */
  kind: 'send' | 'repeat' | 'answer' | 'headless' | 'stop' | 'load' | 'delete' | 'resume'
  chatId: string
  requestedAt: number
  /** Undefined if the connection broke before a response, so that the client does not know the outcome. */
  answeredAt?: number
  status?: number
  retryAfter?: string
  /** Id of the run in the response. */
  runId?: string
  /** The behavior that the client requested for a busy chat. */
  onBusy?: string
  /** Id of the queue entry of a queued message. */
  queueId?: string
  idempotencyKey?: string
  userMessageId?: string
  /** Tokens of the effects that the tools of this turn have exactly once. */
  effectTokens?: string[]
  /** Visible text of the turn's model over all steps, without faults. */
  expectedText?: string
  /** Body of the response to a `load`. */
  loaded?: LoadedChat
}

/** A chat as a client received it. `branch`: the selected branch, absent for the main branch. */
export type LoadedChat = { messages: StoredMessage[]; isStreaming: boolean; branch?: string }

export type StoredMessage = {
  id: string
  role: string
  parts: Record<string, unknown>[]
  metadata?: Record<string, unknown>
}

/** One response body of a run's stream. */
export type Reading = {
  runId: string
  chatId: string
  /** The `Last-Event-ID` of the request. Undefined for a reading from the first frame. */
  after?: number
  openedAt: number
  endedAt: number
  frames: { index: number; body: string; at: number }[]
  /** `done`: `[DONE]` arrived. `left`: the reader disconnected. `cut`: any other end. */
  end: 'done' | 'left' | 'cut'
}

export type Fault = {
  kind: string
  /** The affected part: `worker-1`, `api-1`, `postgres`, `temporal`, `model`, … */
  target: string
  at: number
  /** Time at which the part worked again. Undefined if it did not recover. */
  until?: number
  /** Whether the harness observed the fault. `evidence` describes the observation. */
  observed: boolean
  evidence: string
}

/** One request that a fake external service received. */
export type ExternalRequest = {
  service: 'model'
  /**
   * `<run id>:<step>:<attempt>`; for a sub-agent `<run id>:<tool call id>:<step>:<attempt>`; for a summary `compact:<run
   * id>:<step>:<attempt>`; for a requested summary `compact:<chat id>:<message id>:<attempt>`.
   */
  idempotencyKey: string
  at: number
  closedAt?: number
  /** Outcome of the request: `whole`, `cut`, `hang`, `garbage`, a status code, … */
  outcome: string
}

/** Number of times that an effect is found in the sandbox of its tool. */
export type Effect = { token: string; count: number }

/** The sandbox of a session after all work has ended. `lostAt`: time at which its newest loss was recorded. */
export type SandboxRecord = {
  sessionId: string
  /** Increases with each loss. */
  epoch: number
  lostAt: number | null
  /** Whether a machine has its files. */
  hasFiles: boolean
}

export type MemorySample = { part: string; pid: number; at: number; rssBytes: number }

/** The content of Postgres after all work has ended. */
export type Store = {
  runs: RunRow[]
  frames: { runId: string; seq: number; body: string }[]
  messages: (StoredMessage & { chatId: string; position: number; createdAt: number; branchId?: string | null })[]
  steps: { runId: string; step: number; attempt: number; finishReason: string; createdAt: number }[]
  /** Replaced attempts of model calls. `reason`: `model_error`, `timeout` or `worker_lost`. */
  attempts: { runId: string; step: number; attempt: number; reason: string }[]
  toolCalls: { runId: string; toolCallId: string; step: number; startedAt: number | null; endedAt: number | null }[]
  ledger: { accountId: string; reference: string; amount: number; createdAt: number }[]
  balances: { accountId: string; balance: number }[]
  chats: { id: string; activeStreamId: string | null; hold?: string | null }[]
  queue: QueueRow[]
}

/** A message in the queue of its chat. */
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
  /** Number of batches that have taken the turn. */
  batches: number
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

export type GuaranteeId = 'G1' | 'G2' | 'G3' | 'G4' | 'G5' | 'G6' | 'G7' | 'G11' | 'G12' | 'G13' | 'G17' | 'G19'

/** A violated guarantee. `subject`: the id of the affected run, chat or request. */
export type Violation = { guarantee: GuaranteeId; subject: string; text: string }

/** State after the workload has stopped. */
export type StopResult = {
  /** Runs whose end no client observed before the deadline. */
  unsettled: string[]
}

export type Workload = {
  operations: Operation[]
  readings: Reading[]
  /** Responses that no fault explains, and failures of the clients. */
  unexpectedResponses: string[]
  /** Number of runs that the API has accepted. */
  acknowledged(): number
  /** Number of runs whose end a client has observed. */
  ended(): number
  /** Starts no further turns. Resolves when all clients have observed the end of their runs, or at the deadline. */
  stop(timeoutMs?: number): Promise<StopResult>
}
