/** The machine that has the files of a sandbox. */
export type SandboxPlace = {
  machine: string
  /** Increases when the files are lost with their machine. */
  epoch: number
  /** Time of the newest loss in epoch ms; null if there was none. */
  lostAt: number | null
}
