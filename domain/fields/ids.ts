import { ulid as ulidWith } from 'ulid'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const runPattern = /^wrun_[0-9A-HJKMNP-TV-Z]{26}$/

// Buffered, because the library would make a system call for each of the 16 random characters of an id.
const random = new Uint8Array(4096)
let usedBytes = random.length

/** Returns a random number from 0 to below 1. A ULID uses five bits of it. */
function randomFraction(): number {
  if (usedBytes === random.length) {
    crypto.getRandomValues(random)
    usedBytes = 0
  }
  return (random[usedBytes++] ?? 0) / 256
}

function ulid(): string {
  return ulidWith(undefined, randomFraction)
}

/** True for a UUID of any version and letter case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

export function isRunId(text: string): boolean {
  return runPattern.test(text)
}

/** Returns a new id of a chat turn, which is also its workflow id. */
export function newRunId(): string {
  return `wrun_${ulid()}`
}

/** Returns a new id of a branch of a chat. */
export function newBranchId(): string {
  return `branch_${ulid()}`
}

/** Returns a new id of a watcher of a session's lifecycle. */
export function newWatchId(): string {
  return `watch_${ulid()}`
}

/** Returns a new id of a background run, which is also its workflow id. */
export function newJobId(): string {
  return `run_${ulid()}`
}

/** Returns a new id of the dataset of a scrape. */
export function newDatasetId(): string {
  return `ds_${ulid()}`
}

export function newAttemptId(): string {
  return `attempt_${ulid()}`
}

/** Returns a new id of an approval that a tool call waits for. */
export function newApprovalId(): string {
  return `apr_${ulid()}`
}

export function newToolCallId(): string {
  return `call_${ulid()}`
}

/** Returns a new id of a pack of a sandbox's files. */
export function newPackId(): string {
  return `pack_${ulid()}`
}

/** Returns a new id of a message in the queue of a chat. */
export function newQueuedId(): string {
  return `queued_${ulid()}`
}
