import type { IncomingMessage } from 'node:http'

export type TransferRules = {
  /** Time limit of a body that is read whole. A streamed body may be this far behind its minimum rate. */
  timeoutMs: number
  minBytesPerSecond: number
}

type Transfer = {
  kind: 'whole' | 'streamed'
  /** Remaining milliseconds that the sender may use. */
  leftMs: number
  lookedAt: number
  bytesRead: number
  onLate: () => void
}

export type Transfers = {
  /**
   * Calls `onLate` once when the rest of the body does not arrive in time. Replaces an earlier watch of the request.
   */
  watch(request: IncomingMessage, kind: Transfer['kind'], onLate: () => void): void
}

const maxLookMs = 1000
const looksPerTimeout = 8

/**
 * Applies the time limits of all incoming bodies, independent of their readers. Only the sender's delay counts for a
 * streamed body: its clock is paused while data waits for the reader. One timer checks all bodies.
 */
export function createTransfers({ timeoutMs, minBytesPerSecond }: TransferRules): Transfers {
  const coming = new Map<IncomingMessage, Transfer>()

  const isLate = (request: IncomingMessage, transfer: Transfer, now: number): boolean => {
    const { bytesRead } = request.socket
    const earnedMs = ((bytesRead - transfer.bytesRead) * 1000) / minBytesPerSecond
    const isWaitedFor = transfer.kind === 'whole' || request.readableLength === 0
    transfer.leftMs -= isWaitedFor ? now - transfer.lookedAt : 0
    if (transfer.kind === 'streamed') transfer.leftMs = Math.min(timeoutMs, transfer.leftMs + earnedMs)
    transfer.bytesRead = bytesRead
    transfer.lookedAt = now
    return transfer.leftMs <= 0
  }

  const look = (): void => {
    const now = performance.now()
    for (const [request, transfer] of coming) {
      if (request.complete || request.destroyed) coming.delete(request)
      else if (isLate(request, transfer, now)) {
        coming.delete(request)
        transfer.onLate()
      }
    }
  }
  setInterval(look, Math.min(maxLookMs, timeoutMs / looksPerTimeout)).unref()

  return {
    watch: (request, kind, onLate) => {
      const { bytesRead } = request.socket
      coming.set(request, { kind, leftMs: timeoutMs, lookedAt: performance.now(), bytesRead, onLate })
    },
  }
}
