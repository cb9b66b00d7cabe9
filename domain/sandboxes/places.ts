/** Returns the name of a session's sandbox. */
export function buildSandboxName(sessionId: string): string {
  return `session-${sessionId}`
}

/** The machine that has the files of a sandbox. */
export type SandboxPlace = {
  machine: string
  /** Increases when the files are lost with their machine. */
  epoch: number
  /** Time of the newest loss in epoch ms; null if there was none. */
  lostAt: number | null
}

/** The newest checkpoint of a sandbox's files at the time of their loss. */
export type LostCheckpoint = {
  /** Epoch ms at which the restored checkpoint was taken; null if no checkpoint was restored. */
  at: number | null
  /** The run and the step after which the checkpoint was taken; null without a checkpoint or outside of a step. */
  runId: string | null
  step: number | null
  /** Whether later checkpoints were skipped because the files exceeded the size limit. */
  isTooLarge: boolean
}
