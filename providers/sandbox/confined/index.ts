import { randomBytes } from 'node:crypto'
import { chmod, lchown, mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { DiskSpace } from '../../disk-space.ts'
import type { ProcessLimits } from '../bubblewrap/prelude.ts'
import { watchDisk } from '../local/disk.ts'
import { endOrphans, killUser, recordProcess, releaseUid, reserveUid } from '../local/host.ts'
import { runGroup, type GroupOptions, type GroupResult } from '../local/process-group.ts'
import { bareLevels } from './bare.ts'
import { bubblewrapLevel } from './bubblewrap.ts'

/** A program of ours that parses bytes from outside. All paths are absolute. */
export type ConfinedProgram = {
  argv: string[]
  /** Files and folders of the host that it reads, besides the system's; they keep their paths. */
  readable: string[]
  /** Its working folder, and the only one that it writes to. Files that are in it become its own. */
  folder: string
}

export type ConfinedLimits = ProcessLimits & {
  /** Of all its processes together, where control groups can be written to. */
  memoryBytes: number
  processes: number
  /** Of everything in its folder. */
  diskBytes: number
}

type Running = Pick<GroupOptions, 'stdin' | 'signal' | 'timeoutMs' | 'maxOutputBytes' | 'onBytes'>

/** Runs programs with no more of this machine than they need. */
export type Confinement = {
  /** Rejects with the signal's reason when it is aborted. Never rejects because of what the program does. */
  run(program: ConfinedProgram, running: Running): Promise<GroupResult>
  /** What protects the machine here, for an operator. `isFull`: with every measure that there is. */
  describe(): Promise<{ isolation: string; isFull: boolean }>
}

/** How programs are started on a machine that has certain means. */
export type Level = {
  isolation: string
  isFull: boolean
  /** The user of a run; false: it keeps the user of this process. */
  hasOwnUser: boolean
  launch(
    program: ConfinedProgram,
    run: LevelRun,
  ): Promise<{ argv: string[]; args?: Buffer; filter?: Buffer | undefined }>
  /** After each run. */
  leave?(name: string): Promise<void>
}

type LevelRun = { name: string; uid: number | undefined; records: string }
export type LevelOptions = { root: string; limits: ConfinedLimits; probe: Omit<ConfinedProgram, 'folder'> }

const defaultLimits: ConfinedLimits = {
  memoryBytes: 3 * 1024 ** 3,
  dataBytes: 2 * 1024 ** 3,
  fileBytes: 1024 ** 3,
  diskBytes: 2 * 1024 ** 3,
  openFiles: 1024,
  processes: 512,
}
const maxFiles = 1000
const probeMs = 30_000
/** What a probe prints when it could do everything that it needs. */
const probeAnswer = 'works\n'

/**
 * `root` is the folder of the sandboxes of this machine. `probe` prints `probeAnswer` where the programs that come
 * later can run. The level is chosen at the first use and stays.
 */
export function createConfinement({
  root: folder,
  probe,
  disk,
  limits: given,
  log,
  levels = [bubblewrapLevel, ...bareLevels],
}: {
  root: string
  probe: Omit<ConfinedProgram, 'folder'>
  disk?: Pick<DiskSpace, 'reserveBytes'> | undefined
  limits?: Partial<ConfinedLimits> | undefined
  log?: { warn(details: object, message: string): void } | undefined
  /** The first that works is used. */
  levels?: ((options: LevelOptions) => Promise<Level | undefined>)[]
}): Confinement {
  const root = resolve(folder)
  const limits = { ...defaultLimits, ...given }
  const records = join(root, '.confined')

  const runAt = async (level: Level, program: ConfinedProgram, running: Running): Promise<GroupResult> => {
    running.signal?.throwIfAborted()
    const name = `confined-${randomBytes(8).toString('hex')}`
    const uid = level.hasOwnUser ? await reserveUid(root, name) : undefined
    let record: string | undefined
    let stopWatching: (() => void) | undefined
    try {
      if (uid !== undefined) await giveFolder(program.folder, uid)
      const { argv, args = Buffer.alloc(0), filter } = await level.launch(program, { name, uid, records })
      const recording: Promise<string>[] = []
      const result = await runGroup(argv, {
        ...running,
        args,
        script: '',
        filter,
        onSpawn: (pid, kill) => {
          recording.push(recordProcess(records, pid))
          const { diskBytes } = limits
          const watched = { diskBytes, diskFiles: maxFiles, reserveBytes: disk?.reserveBytes ?? 0 }
          stopWatching = watchDisk([program.folder], watched, kill)
        },
      })
      ;[record] = await Promise.all(recording)
      return result
    } finally {
      stopWatching?.()
      if (record !== undefined) await rm(record, { force: true })
      await level.leave?.(name)
      if (uid !== undefined) {
        await killUser(uid)
        await releaseUid(root, uid)
      }
    }
  }

  const works = async (level: Level): Promise<boolean> => {
    const folder = join(root, `.probe-${randomBytes(8).toString('hex')}`)
    await mkdir(folder, { mode: 0o700 })
    try {
      const program = { ...probe, folder }
      const { output } = await runAt(level, program, { stdin: undefined, timeoutMs: probeMs, maxOutputBytes: 4096 })
      return output.toString() === probeAnswer
    } catch {
      return false
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const choose = async (): Promise<Level> => {
    // Sandboxes are made in there too, whichever is first.
    if ((await mkdir(root, { recursive: true, mode: 0o711 })) !== undefined) await chmod(root, 0o711)
    await mkdir(records, { recursive: true, mode: 0o700 })
    await endOrphans(records)
    for (const open of levels) {
      const level = await open({ root, limits, probe })
      if (level === undefined || !(await works(level))) continue
      if (!level.isFull)
        log?.warn({ isolation: level.isolation }, 'songs and pictures are decoded with less protection')
      return level
    }
    throw new Error('no program of ours can be confined on this machine')
  }

  let chosen: Promise<Level> | undefined
  const level = (): Promise<Level> => {
    chosen ??= choose()
    chosen.catch(() => (chosen = undefined))
    return chosen
  }

  return {
    run: async (program, running) => runAt(await level(), program, running),
    describe: async () => {
      const { isolation, isFull } = await level()
      return { isolation, isFull }
    },
  }
}

/** The folder and the files in it; it has no folders. */
async function giveFolder(folder: string, uid: number): Promise<void> {
  for (const name of await readdir(folder)) await lchown(join(folder, name), uid, uid)
  await lchown(folder, uid, uid)
}
