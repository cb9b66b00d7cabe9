const live = new Set(['queued', 'running', 'retrying'])

/** Whether a run with this status may still change. */
export function isLive(status: string): boolean {
  return live.has(status)
}
