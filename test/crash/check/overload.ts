import type { Violation } from '../records/records.ts'
import { isNeverAccepted, isStart, createViolation, type Evidence } from './records/evidence.ts'

const delaySeconds = /^[1-9]\d*$/
const statusesWithRetryAfter = new Set([429, 503, 504])
/** Time within which broken connections are restored after a fault. */
const recoveryMs = 5000
/** Statuses that an overloaded server never returns. */
const internalErrors = new Set([500, 502])

/** G13: rejected clients get Retry-After and store nothing, and no part grows without bound. */
export const checkOverload = ({ records, limits, faultDuring }: Evidence): Violation[] => {
  const { operations, samples, store } = records
  const stored = new Set(store.messages.map(({ id }) => id))
  const refusals = operations.flatMap((operation) => {
    const problems: string[] = []
    const { status, requestedAt, userMessageId } = operation
    if (status === undefined) return []
    const isDuringFault =
      faultDuring(requestedAt - recoveryMs, (operation.answeredAt ?? requestedAt) + limits.skewMs) !== undefined
    if (statusesWithRetryAfter.has(status) && !delaySeconds.test(operation.retryAfter ?? ''))
      problems.push(`responded ${status} with Retry-After ${operation.retryAfter ?? 'missing'}`)
    if (internalErrors.has(status) && !isDuringFault) problems.push(`responded ${status} without a fault`)
    const refused = status === 429 || (status === 503 && !isDuringFault)
    const isStored = isStart(operation) && userMessageId !== undefined && stored.has(userMessageId)
    if (refused && isStored && isNeverAccepted(operation, operations))
      problems.push(`responded ${status} but its message is stored`)
    return problems.map((text) => createViolation('G13', operation.id, text))
  })
  const excessive = new Map<string, number>()
  for (const { part, pid, rssBytes } of samples)
    if (rssBytes > limits.memoryBytes)
      excessive.set(`${part} (${pid})`, Math.max(rssBytes, excessive.get(`${part} (${pid})`) ?? 0))
  const growth = [...excessive].map(([part, bytes]) =>
    createViolation('G13', part, `held ${Math.round(bytes / 2 ** 20)} MB of memory`),
  )
  return [...refusals, ...growth]
}
