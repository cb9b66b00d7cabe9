import { randomBytes } from 'node:crypto'
import { chmod, lchown, mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { DiskSpace } from '../../disk-space.ts'
import { watchDisk } from '../local/disk.ts'
import { endOrphans, killUser, recordProcess, releaseUid, reserveUid } from '../local/host.ts'
import { runGroup, type GroupOptions, type GroupResult } from '../local/process-group.ts'
import { bareLevels } from './bare.ts'
import { bubblewrapLevel } from './bubblewrap.ts'
import type { ConfinedLimits, ConfinedProgram, Level, LevelOptions } from './level.ts'

type RunOptions = Pick<GroupOptions, 'stdin' | 'signal' | 'timeoutMs' | 'maxOutputBytes' | 'onBytes'>

/** Runs programs with minimal access to this machine. */
export type Confinement = {
  /** Runs a program. Rejects with the abort reason of the signal. A failure of the program is a result, not an error. */
  run(program: ConfinedProgram, runOptions: RunOptions): Promise<GroupResult>
  /** Describes the isolation on this machine, for operators. `isFull`: all measures apply. */
  describe(): Promise<{ isolation: string; isFull: boolean }>
}

const defaultLimits: ConfinedLimits = {
  memoryBytes: 3 * 1024 ** 3,
  dataBytes: 2 * 1024 ** 3,
  fileBytes: 1024 ** 3,
  diskBytes: 2 * 1024 ** 3,
  openFiles: 1024,
  processes: 512,
}
const maxFiles = 1000
const probeTimeoutMs = 30_000
/** Output of a successful probe. */
const probeOutput = 'works\n'

/**
 * Creates the confinement of this machine. `root` is the folder of the sandboxes. `probe` is a program that prints
 * `probeOutput` if programs can run at a level. The first use selects the first level whose probe succeeds.
 */
export function createConfinement({
  root: folder,
  probe,
  disk,
  limits: limitOverrides,
  log,
  levels = [bubblewrapLevel, ...bareLevels],
}: {
  root: string
  probe: Omit<ConfinedProgram, 'folder'>
  disk?: Pick<DiskSpace, 'reserveBytes'> | undefined
  limits?: Partial<ConfinedLimits> | undefined
  log?: { warn(details: object, message: string): void } | undefined
  /** Levels by preference. */
  levels?: ((options: LevelOptions) => Promise<Level | undefined>)[]
}): Confinement {
  const root = resolve(folder)
  const limits = { ...defaultLimits, ...limitOverrides }
  const records = join(root, '.confined')

  const runAt = async (level: Level, program: ConfinedProgram, runOptions: RunOptions): Promise<GroupResult> => {
    runOptions.signal?.throwIfAborted()
    const name = `confined-${randomBytes(8).toString('hex')}`
    const uid = level.hasOwnUser ? await reserveUid(root, name) : undefined
    let record: string | undefined
    let stopWatching: (() => void) | undefined
    try {
      if (uid !== undefined) await changeFolderOwner(program.folder, uid)
      const { argv, args = Buffer.alloc(0), filter } = await level.launch(program, { name, uid, records })
      const recording: Promise<string>[] = []
      const result = await runGroup(argv, {
        ...runOptions,
        args,
        script: '',
        filter,
        onSpawn: (pid, kill) => {
          recording.push(recordProcess(records, pid))
          const { diskBytes } = limits
          const diskLimits = { diskBytes, diskFiles: maxFiles, reserveBytes: disk?.reserveBytes ?? 0 }
          stopWatching = watchDisk([program.folder], diskLimits, kill)
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

  const passesProbe = async (level: Level): Promise<boolean> => {
    const folder = join(root, `.probe-${randomBytes(8).toString('hex')}`)
    await mkdir(folder, { mode: 0o700 })
    try {
      const program = { ...probe, folder }
      const { output } = await runAt(level, program, {
        stdin: undefined,
        timeoutMs: probeTimeoutMs,
        maxOutputBytes: 4096,
      })
      return output.toString() === probeOutput
    } catch {
      return false
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const findLevel = async (): Promise<Level> => {
    // The sandbox driver may have created the same folder.
    if ((await mkdir(root, { recursive: true, mode: 0o711 })) !== undefined) await chmod(root, 0o711)
    await mkdir(records, { recursive: true, mode: 0o700 })
    await endOrphans(records)
    for (const createLevel of levels) {
      const level = await createLevel({ root, limits, probe })
      if (level === undefined || !(await passesProbe(level))) continue
      if (!level.isFull) log?.warn({ isolation: level.isolation }, 'songs and images are decoded with less protection')
      return level
    }
    throw new Error('this machine supports no confinement level')
  }

  let selection: Promise<Level> | undefined
  const selectLevel = (): Promise<Level> => {
    selection ??= findLevel()
    selection.catch(() => (selection = undefined))
    return selection
  }

  return {
    run: async (program, runOptions) => runAt(await selectLevel(), program, runOptions),
    describe: async () => {
      const { isolation, isFull } = await selectLevel()
      return { isolation, isFull }
    },
  }
}

/** Makes the user the owner of the folder and its files. The folder contains no subfolders. */
async function changeFolderOwner(folder: string, uid: number): Promise<void> {
  for (const name of await readdir(folder)) await lchown(join(folder, name), uid, uid)
  await lchown(folder, uid, uid)
}
