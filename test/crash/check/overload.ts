import type { Violation } from '../records/records.ts'
import { isAlone, isStart, violation, type Evidence } from './records/evidence.ts'

const delaySeconds = /^[1-9]\d*$/
const withDelay = new Set([429, 503, 504])
/** Connections that a fault broke are restored within this time. */
const recoveryMs = 5000
/** Statuses that a server never returns if it is only busy. */
const helpless = new Set([500, 502])

/** G13: rejected clients get Retry-After and leave no trace, and no part grows without bound. */
export const checkOverload = ({ records, limits, faultDuring }: Evidence): Violation[] => {
  const { operations, samples, store } = records
  const stored = new Set(store.messages.map(({ id }) => id))
  const refusals = operations.flatMap((one) => {
    const problems: string[] = []
    const { status, requestedAt, userMessageId } = one
    if (status === undefined) return []
    const troubled =
      faultDuring(requestedAt - recoveryMs, (one.answeredAt ?? requestedAt) + limits.skewMs) !== undefined
    if (withDelay.has(status) && !delaySeconds.test(one.retryAfter ?? ''))
      problems.push(`responded ${status} with Retry-After ${one.retryAfter ?? 'missing'}`)
    if (helpless.has(status) && !troubled) problems.push(`responded ${status} while nothing was broken`)
    const refused = status === 429 || (status === 503 && !troubled)
    const isStored = isStart(one) && userMessageId !== undefined && stored.has(userMessageId)
    if (refused && isStored && isAlone(one, operations)) problems.push(`responded ${status} but its message is stored`)
    return problems.map((text) => violation('G13', one.id, text))
  })
  const large = new Map<string, number>()
  for (const { part, pid, rssBytes } of samples)
    if (rssBytes > limits.memoryBytes)
      large.set(`${part} (${pid})`, Math.max(rssBytes, large.get(`${part} (${pid})`) ?? 0))
  const growth = [...large].map(([part, bytes]) =>
    violation('G13', part, `held ${Math.round(bytes / 2 ** 20)} MB of memory`),
  )
  return [...refusals, ...growth]
}
