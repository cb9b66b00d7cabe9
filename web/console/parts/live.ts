const liveStatuses = new Set(['queued', 'running', 'retrying'])

/** True if a run with this status can still change. */
export function isLive(status: string): boolean {
  return liveStatuses.has(status)
}
