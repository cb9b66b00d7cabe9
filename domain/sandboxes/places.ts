/** The machine that has the files of a sandbox. */
export type SandboxPlace = {
  machine: string
  /** Rises when the files are lost with their machine. */
  epoch: number
  /** Epoch ms of the newest such loss; null if there was none. */
  lostAt: number | null
}
