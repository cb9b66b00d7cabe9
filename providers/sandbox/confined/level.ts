import type { ProcessLimits } from '../bubblewrap/prelude.ts'

/** Program of Backline that parses untrusted bytes. All paths are absolute. */
export type ConfinedProgram = {
  argv: string[]
  /** Files and folders of the host that the program can read, at the same paths, in addition to the system's files. */
  readable: string[]
  /** Working folder, the only writable folder. The program's user becomes the owner of the files in it. */
  folder: string
}

export type ConfinedLimits = ProcessLimits & {
  /** Memory limit of all processes together, if control groups are writable. */
  memoryBytes: number
  processes: number
  /** Maximum size of the working folder. */
  diskBytes: number
}

/** A way to start programs with a certain isolation. */
export type Level = {
  isolation: string
  isFull: boolean
  /** True if each run has a separate user. Otherwise, runs have the user of this process. */
  hasOwnUser: boolean
  launch(
    program: ConfinedProgram,
    run: LevelRun,
  ): Promise<{ argv: string[]; args?: Buffer; filter?: Buffer | undefined }>
  /** Called after each run. */
  leave?(name: string): Promise<void>
}

type LevelRun = { name: string; uid: number | undefined; records: string }
export type LevelOptions = { root: string; limits: ConfinedLimits; probe: Omit<ConfinedProgram, 'folder'> }
