import type { ServerResponse } from 'node:http'

const looksPerStall = 4

type Progress = { taken: number; since: number }

/**
 * Cuts each response whose connection accepts no data for `stallMs` while data waits for it. Data in the kernel's
 * buffer counts as accepted; a slow reader with some progress stays. One timer checks all responses.
 */
export function watchStalledReaders(stallMs: number, onCut: () => void) {
  const watched = new Map<ServerResponse, Progress>()
  const look = (): void => {
    const now = performance.now()
    for (const [response, progress] of watched) {
      const waiting = response.writableLength
      const taken = (response.socket?.bytesWritten ?? 0) - waiting
      // Without a socket the response waits for an earlier one on its connection, not for its reader.
      if (waiting === 0 || response.socket === null || taken !== progress.taken) {
        progress.taken = taken
        progress.since = now
      } else if (now - progress.since >= stallMs) {
        onCut()
        watched.delete(response)
        response.destroy()
      }
    }
  }
  setInterval(look, Math.max(stallMs / looksPerStall, 1)).unref()
  return {
    add: (response: ServerResponse): void => void watched.set(response, { taken: -1, since: performance.now() }),
    remove: (response: ServerResponse): void => void watched.delete(response),
  }
}
