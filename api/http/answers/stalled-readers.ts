import type { ServerResponse } from 'node:http'

const checksPerStall = 4

type Progress = { acceptedBytes: number; changedAt: number }

/**
 * Destroys each response whose connection accepts no data for `stallMs` while data is pending. Data in the kernel's buffer
 * counts as accepted. A slow reader that makes progress stays connected. One timer checks all responses.
 */
export function watchStalledReaders(stallMs: number, onDestroy: () => void) {
  const progressByResponse = new Map<ServerResponse, Progress>()
  const checkAll = (): void => {
    const now = performance.now()
    for (const [response, progress] of progressByResponse) {
      const pendingBytes = response.writableLength
      const acceptedBytes = (response.socket?.bytesWritten ?? 0) - pendingBytes
      // A response without a socket waits for an earlier response on its connection, not for its reader.
      if (pendingBytes === 0 || response.socket === null || acceptedBytes !== progress.acceptedBytes) {
        progress.acceptedBytes = acceptedBytes
        progress.changedAt = now
      } else if (now - progress.changedAt >= stallMs) {
        onDestroy()
        progressByResponse.delete(response)
        response.destroy()
      }
    }
  }
  setInterval(checkAll, Math.max(stallMs / checksPerStall, 1)).unref()
  return {
    add: (response: ServerResponse): void =>
      void progressByResponse.set(response, { acceptedBytes: -1, changedAt: performance.now() }),
    remove: (response: ServerResponse): void => void progressByResponse.delete(response),
  }
}
