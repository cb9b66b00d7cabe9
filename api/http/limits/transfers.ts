import type { IncomingMessage } from 'node:http'

export type TransferRules = {
  /** A whole body has this time; one that is used as it comes may be this far behind its least rate. */
  timeoutMs: number
  minBytesPerSecond: number
}

type Transfer = {
  kind: 'whole' | 'streamed'
  /** Milliseconds that its sender may still let pass. */
  leftMs: number
  lookedAt: number
  bytesRead: number
  onLate: () => void
}

export type Transfers = {
  /** `onLate` is called once when the rest of the body does not come in its time. Replaces what was said of it before. */
  watch(request: IncomingMessage, kind: Transfer['kind'], onLate: () => void): void
}

const maxLookMs = 1000
const looksPerTimeout = 8

/**
 * The time of every body that is still to come, whoever reads it. Only the sender's silence counts for a streamed one:
 * while something of it waits for its reader, its time stands still. One timer looks at all.
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
