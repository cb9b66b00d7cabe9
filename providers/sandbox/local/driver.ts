import type { Readable, Writable } from 'node:stream'
import type { DiskSpace } from '../../disk-space.ts'
import { createInOrder } from '../../in-order.ts'
import {
  createDraftFolder,
  computeEndTime,
  findFolder,
  finishFolder,
  listNames,
  saveMeta,
  type Folder,
  type Meta,
} from './folder.ts'
import { endOrphans, isRoot, killRecorded, killUser, reserveUid } from './host.ts'
import {
  SandboxError,
  SandboxGoneError,
  SandboxStoppedError,
  SnapshotGoneError,
  removeOpened,
  type CreateSandbox,
  type LocalSandboxes,
  type Sandbox,
  type SandboxState,
  type Snapshot,
} from '../index.ts'
import type { SnapshotStore } from './snapshot-store.ts'

const type = 'local'
/** Epoch of files without a recorded place, which were created outside a fleet. */
const firstEpoch = 1
const probePrefix = 'probe-'

export function toState(meta: Meta): SandboxState {
  return {
    type,
    sandboxName: meta.name,
    ...(meta.source && { source: meta.source }),
    ...(meta.stoppedAt === undefined && { expiresAt: meta.expiresAt }),
    ...(meta.place && {
      machine: meta.place.machine,
      epoch: meta.place.epoch,
      ...(meta.place.lostAt !== null && { lostAt: meta.place.lostAt }),
      ...(meta.checkpoint && { checkpoint: meta.checkpoint }),
    }),
  }
}

export async function extendFolder(root: string, folder: Folder, expiresAt: number): Promise<SandboxState> {
  await changeMeta(root, folder, (meta) => {
    if (hasEnded(meta)) throw new SandboxStoppedError(`sandbox ${meta.name} has stopped`)
    return { ...meta, expiresAt }
  })
  return toState(folder.meta)
}

/** Stops a sandbox. Records the stop before ending the processes, so that concurrent readers see a stopped sandbox. */
export async function stopFolder(root: string, folder: Folder): Promise<void> {
  try {
    await changeMeta(root, folder, (meta) => ({ ...meta, stoppedAt: Date.now() }))
  } catch (error) {
    if (!(error instanceof SandboxGoneError)) throw error
  }
  await endProcesses(folder)
}

/** Returns the environment that passes the identity to git, so that no file of the sandbox contains it. */
export function gitEnvironment({ gitIdentity: { name, email } }: Meta): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_TERMINAL_PROMPT: '0',
  }
}

export async function endProcesses({ processes, meta }: Folder): Promise<void> {
  await killRecorded(processes)
  if (meta.uid !== undefined) await killUser(meta.uid)
}

export async function snapshotFolder(
  root: string,
  folder: Folder,
  snapshots: SnapshotStore,
  pack: (sink: Writable) => Promise<void>,
): Promise<Snapshot> {
  await requireFolder(root, folder)
  return snapshots.save(folder.meta.source, pack)
}

export type FolderDriver = {
  root: string
  workingDirectory: string
  /** Describes the isolation in one sentence, for a successful probe. */
  isolation: string
  sandboxAt: (folder: Folder) => Sandbox
  /** Writes the repository's content to a new folder and returns its commit. */
  fill: (folder: Folder, repository: NonNullable<CreateSandbox['repository']>) => Promise<string>
  /** Updates a restored clone to the latest commit of the branch and returns it. Absent for sandboxes without git. */
  update?: (folder: Folder, repository: NonNullable<CreateSandbox['repository']>, known: string) => Promise<string>
  snapshots: SnapshotStore
  disk: Pick<DiskSpace, 'room'>
  /** Unpacks an archive into a new folder. */
  unpack: (folder: Folder, archive: Readable) => Promise<void>
  /** Restores the files of a checkpoint into a new folder and returns their repository. Throws `SnapshotGoneError`. */
  restore?: ((folder: Folder, packs: string[]) => Promise<SandboxState['source']>) | undefined
}

/** Creates a local driver with one folder per sandbox. A folder is created atomically and found by the sandbox's name. */
export function createFolderDriver(driver: FolderDriver): LocalSandboxes {
  const resume = async (folder: Folder, options: CreateSandbox): Promise<Sandbox> => {
    await endOverdue(folder)
    folder.meta.expiresAt = Date.now() + options.timeoutMs
    folder.meta.gitIdentity = options.gitIdentity
    delete folder.meta.stoppedAt
    if (options.placement !== undefined) folder.meta.place = options.placement
    await saveMeta(folder)
    await endOrphans(folder.processes)
    return driver.sandboxAt(folder)
  }

  const restore = async (draft: Folder, snapshotId: string): Promise<void> => {
    const { source, archive } = await driver.snapshots.open(snapshotId)
    try {
      await driver.unpack(draft, archive)
    } finally {
      archive.destroy()
    }
    if (source !== undefined) draft.meta.source = source
  }

  const fillOrUpdate = (draft: Folder, repository: NonNullable<CreateSandbox['repository']>): Promise<string> => {
    const known = draft.meta.source?.baseCommit
    return driver.update === undefined || known === undefined
      ? driver.fill(draft, repository)
      : driver.update(draft, repository, known)
  }

  /** Fills a new folder from the snapshot and the repository. */
  const fillNew = async (draft: Folder, { snapshotId, repository, checkpoint }: CreateSandbox): Promise<void> => {
    if (snapshotId !== undefined) await restore(draft, snapshotId)
    if (repository !== undefined) {
      const baseCommit = await fillOrUpdate(draft, repository)
      draft.meta.source = { repo: repository.cloneUrl, branch: repository.branch, baseCommit }
    }
    if (checkpoint !== undefined)
      draft.meta.checkpoint = { at: null, runId: null, step: null, isTooLarge: checkpoint.isTooLarge }
  }

  /** Creates the folder from the packs of its checkpoint, or from the repository without packs or if one is gone or damaged. */
  const createFolder = async (options: CreateSandbox): Promise<Folder> => {
    const { checkpoint } = options
    const restorePacks = driver.restore
    if (checkpoint !== undefined && checkpoint.packs.length > 0 && restorePacks !== undefined)
      try {
        return await createFilled(options, async (draft) => {
          const { packs, ...restored } = checkpoint
          const source = await restorePacks(draft, packs)
          if (source !== undefined) draft.meta.source = source
          draft.meta.checkpoint = restored
        })
      } catch (error) {
        if (!(error instanceof SnapshotGoneError)) throw error
      }
    return createFilled(options, (draft) => fillNew(draft, options))
  }

  const createFilled = async (options: CreateSandbox, fill: (draft: Folder) => Promise<void>): Promise<Folder> => {
    const { name, gitIdentity, repository, snapshotId, timeoutMs, placement: place } = options
    const isFilled = repository !== undefined || snapshotId !== undefined
    if (isFilled && (await driver.disk.room()) <= 0) throw new SandboxError('no disk space for a sandbox')
    const uid = isRoot() ? await reserveUid(driver.root, name) : undefined
    const meta: Meta = {
      name,
      gitIdentity,
      createdAt: Date.now(),
      expiresAt: 0,
      ...(uid !== undefined && { uid }),
      ...(place !== undefined && { place }),
    }
    const draft = await createDraftFolder(driver.root, meta)
    try {
      await fill(draft)
      meta.expiresAt = Date.now() + timeoutMs
      const finished = await finishFolder(driver.root, draft)
      if (finished !== undefined) return finished
      const other = await findFolder(driver.root, name)
      if (other === undefined) throw new SandboxGoneError(`sandbox ${name} was removed while it was created`)
      await driver.sandboxAt(draft).destroy()
      return other
    } catch (error) {
      await driver.sandboxAt(draft).destroy()
      throw error
    }
  }

  /** Finds the folder of a sandbox. Deletes a folder of an older epoch, because another machine may have newer files. */
  const findCurrent = async (name: string, epoch: number | undefined): Promise<Folder | undefined> => {
    const folder = await findFolder(driver.root, name)
    if (folder === undefined || epoch === undefined) return folder
    const folderEpoch = folder.meta.place?.epoch ?? firstEpoch
    if (folderEpoch > epoch) throw new SandboxError(`the sandbox ${name} was restored concurrently`)
    if (folderEpoch === epoch) return folder
    await driver.sandboxAt(folder).destroy()
    return undefined
  }

  const open = async (state: SandboxState): Promise<Sandbox> => {
    const folder = await findCurrent(state.sandboxName, state.epoch)
    if (folder === undefined) throw new SandboxGoneError(`no sandbox ${state.sandboxName}`)
    await endOverdue(folder)
    await endOrphans(folder.processes)
    return driver.sandboxAt(folder)
  }

  const createOrResume = async (options: CreateSandbox): Promise<Sandbox> => {
    const found = await findCurrent(options.name, options.placement?.epoch)
    return found === undefined ? driver.sandboxAt(await createFolder(options)) : resume(found, options)
  }

  const inOrder = createInOrder()

  /** Creates a sandbox. Concurrent calls for the same name run one after another, because filling a folder is expensive. */
  const create = (options: CreateSandbox): Promise<Sandbox> => inOrder(options.name, () => createOrResume(options))

  return {
    type,
    workingDirectory: driver.workingDirectory,
    startsFromBases: driver.update !== undefined,
    takesCheckpoints: driver.restore !== undefined,
    create,
    open,
    condition: async ({ sandboxName, epoch }) => {
      const folder = await findCurrent(sandboxName, epoch)
      if (folder === undefined) return 'gone'
      return hasEnded(folder.meta) ? 'stopped' : 'running'
    },
    endOverdue: async () => {
      for (const name of await listNames(driver.root)) {
        const folder = await findFolder(driver.root, name)
        if (folder !== undefined) await endOverdue(folder)
      }
    },
    remove: (state) => removeOpened({ open }, state),
    list: async () => {
      const names = (await listNames(driver.root)).filter((name) => !name.startsWith(probePrefix))
      const folders = await Promise.all(names.map((name) => findFolder(driver.root, name)))
      return folders.flatMap((folder) =>
        folder === undefined ? [] : [{ name: folder.meta.name, epoch: folder.meta.place?.epoch }],
      )
    },
    deleteSnapshot: (snapshotId) => driver.snapshots.remove(snapshotId),
    probe: async () => {
      try {
        const sandbox = await create({
          name: `${probePrefix}${process.pid}-${Date.now()}`,
          timeoutMs: 60_000,
          gitIdentity: { name: 'probe', email: 'probe@localhost' },
        })
        try {
          const { exitCode } = await sandbox.exec('true', { timeoutMs: 10_000, maxOutputBytes: 1000 })
          return { ok: exitCode === 0, isolation: driver.isolation }
        } finally {
          await sandbox.destroy()
        }
      } catch (error) {
        return { ok: false, isolation: `Not available here: ${(error as Error).message.slice(0, 300)}` }
      }
    },
  }
}

/** Changes the stored record, which other processes may have changed since this process opened the folder. */
async function changeMeta(root: string, folder: Folder, change: (meta: Meta) => Meta): Promise<void> {
  const found = await findFolder(root, folder.meta.name)
  if (found === undefined) throw new SandboxGoneError(`no sandbox ${folder.meta.name}`)
  folder.meta = change(found.meta)
  await saveMeta(folder)
}

function hasEnded(meta: Meta): boolean {
  return computeEndTime(meta) <= Date.now()
}

async function requireFolder(root: string, { meta: { name } }: Folder): Promise<void> {
  if ((await findFolder(root, name)) === undefined) throw new SandboxGoneError(`no sandbox ${name}`)
}

/**
 * Ends the processes that were running when the sandbox expired. Processes that a concurrent resume has started later
 * continue.
 */
async function endOverdue({ processes, meta }: Folder): Promise<void> {
  if (hasEnded(meta)) await killRecorded(processes, computeEndTime(meta))
}
