import type { Operation, Records, RunRow } from '../../records/records.ts'

export type Call = { token: string; output?: unknown }
/** With the end `asking`, a call waits for approval, and the continuing turn executes it. */
type Step = { text: string; call?: Call; /** Partial text of a broken first attempt. */ abandoned?: string }
type End = 'natural' | 'stopped' | 'failed' | 'asking'

export type Turn = {
  chatId: string
  steps: Step[]
  end?: End
  /** Id of the run whose question this turn answers or whose call it approves. */
  continues?: string
  /** Whether the API's response was lost. */
  unanswered?: boolean
}

/** The records of one turn. */
export type RunRecord = { runId: string; operation: Operation; row: RunRow; endedAt: number }

/** How the row and the log of a run record each kind of end. */
export const ends = {
  natural: { status: 'completed', endReason: 'natural', before: [], finishReason: 'stop' },
  stopped: {
    status: 'cancelled',
    endReason: 'stopped',
    before: [{ type: 'abort', reason: 'user' }],
    finishReason: 'other',
  },
  failed: {
    status: 'failed',
    endReason: 'error',
    before: [{ type: 'error', errorText: 'The model call failed' }],
    finishReason: 'error',
  },
  asking: { status: 'completed', endReason: 'awaiting_user', before: [], finishReason: 'tool-calls' },
} as const

export const createEmptyRecords = (): Records => ({
  seed: 1,
  startedAt: 1_000_000,
  endedAt: 2_000_000,
  operations: [],
  readings: [],
  faults: [],
  externalRequests: [],
  effects: [],
  sandboxes: [],
  samples: [{ part: 'api-1', pid: 7, at: 1_000_000, rssBytes: 150 * 2 ** 20 }],
  store: {
    runs: [],
    frames: [],
    messages: [],
    steps: [],
    attempts: [],
    toolCalls: [],
    ledger: [{ accountId: 'account', reference: 'seed:account', amount: 1000, createdAt: 999_000 }],
    balances: [{ accountId: 'account', balance: 1000 }],
    chats: [],
    queue: [],
  },
  workflows: [],
})
