import type { IncomingMessage } from 'node:http'

export type TransferRules = {
  /** Time limit of a body that is read into memory. A streamed body may be behind its minimum rate by this time. */
  timeoutMs: number
  minBytesPerSecond: number
}

type Transfer = {
  kind: 'buffered' | 'streamed'
  /** Time that the sender may still use. */
  remainingMs: number
  checkedAt: number
  bytesRead: number
  onTimeout: () => void
}

export type Transfers = {
  /** Calls `onTimeout` once if the rest of the body does not arrive in time. Replaces an earlier call for the request. */
  watch(request: IncomingMessage, kind: Transfer['kind'], onTimeout: () => void): void
}

const maxCheckMs = 1000
const checksPerTimeout = 8

/**
 * Enforces the time limits of all incoming bodies, independently of their readers. For a streamed body, only the time spent
 * waiting for the sender counts; time in which data waits for the reader does not. One timer checks all bodies.
 */
export function createTransfers({ timeoutMs, minBytesPerSecond }: TransferRules): Transfers {
  const pending = new Map<IncomingMessage, Transfer>()

  const isOverdue = (request: IncomingMessage, transfer: Transfer, now: number): boolean => {
    const { bytesRead } = request.socket
    const earnedMs = ((bytesRead - transfer.bytesRead) * 1000) / minBytesPerSecond
    const isWaitingForSender = transfer.kind === 'buffered' || request.readableLength === 0
    transfer.remainingMs -= isWaitingForSender ? now - transfer.checkedAt : 0
    if (transfer.kind === 'streamed') transfer.remainingMs = Math.min(timeoutMs, transfer.remainingMs + earnedMs)
    transfer.bytesRead = bytesRead
    transfer.checkedAt = now
    return transfer.remainingMs <= 0
  }

  const checkAll = (): void => {
    const now = performance.now()
    for (const [request, transfer] of pending) {
      if (request.complete || request.destroyed) pending.delete(request)
      else if (isOverdue(request, transfer, now)) {
        pending.delete(request)
        transfer.onTimeout()
      }
    }
  }
  setInterval(checkAll, Math.min(maxCheckMs, timeoutMs / checksPerTimeout)).unref()

  return {
    watch: (request, kind, onTimeout) => {
      const { bytesRead } = request.socket
      pending.set(request, { kind, remainingMs: timeoutMs, checkedAt: performance.now(), bytesRead, onTimeout })
    },
  }
}
