import { ulid } from 'ulid'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const runPattern = /^wrun_[0-9A-HJKMNP-TV-Z]{26}$/

/** True for a UUID of any version and letter case. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

export const isRunId = (text: string): boolean => runPattern.test(text)

/** Id of one durable chat turn; also its workflow id. */
export const newRunId = (): string => `wrun_${ulid()}`

/** Id under which a session's lifecycle is watched. */
export const newWatchId = (): string => `watch_${ulid()}`

/** Id of one background run; also its workflow id. */
export const newJobId = (): string => `run_${ulid()}`

export const newAttemptId = (): string => `attempt_${ulid()}`

export const newToolCallId = (): string => `call_${ulid()}`
