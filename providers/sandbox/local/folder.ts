import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskSpace } from '../../disk-space.ts'
import type { LostCheckpoint, SandboxPlace } from '../../../domain/sandboxes/places.ts'
import { maxReceiptOutput, type ExecResult, type SandboxState } from '../index.ts'

/** Metadata of a local sandbox, stored as `meta.json` in its folder. A folder gets its final name only when it is complete. */
export type Meta = {
  name: string
  /** Epoch milliseconds, like all times of this record. */
  createdAt: number
  expiresAt: number
  /** Present from a stop to the next resume. */
  stoppedAt?: number
  gitIdentity: { name: string; email: string }
  source?: SandboxState['source']
  /** User that owns the files and runs all processes. Absent if this process cannot change owners. */
  uid?: number
  /** Present in a fleet. */
  place?: SandboxPlace
  /** Present in a fleet, if the files of an older epoch were lost. */
  checkpoint?: LostCheckpoint
}

/** Paths of a local sandbox on the host. Only `workspace` and `home` are visible inside. */
export type Folder = {
  path: string
  workspace: string
  home: string
  /** Empty mount point for the shared /etc, used when only the host's root can reach the root folder. */
  etc: string
  receipts: string
  processes: string
  meta: Meta
}

/** Age at which a temporary folder is treated as abandoned. Must exceed the duration of any creation or removal. */
const maxLeftoverAgeMs = 15 * 60 * 1000

const namePattern = /^[a-z0-9][a-z0-9-]{0,79}$/
const receiptPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/

/** Returns the name. Throws if it could leave the root folder or collide with internal entries. */
export function checkName(name: string): string {
  if (!namePattern.test(name)) throw new TypeError('a sandbox name is 1 to 80 characters of a-z, 0-9 and -')
  return name
}

export async function findFolder(root: string, name: string): Promise<Folder | undefined> {
  const path = join(root, checkName(name))
  const text = await readIfExists(join(path, 'meta.json'))
  return text === undefined ? undefined : buildFolder(path, JSON.parse(text) as Meta)
}

export function saveMeta(folder: Folder): Promise<void> {
  return writeAtomically(join(folder.path, 'meta.json'), JSON.stringify(folder.meta))
}

/** Returns the time at which the sandbox ended: its stop or its expiry, whichever is earlier. */
export function computeEndTime({ expiresAt, stoppedAt }: Meta): number {
  return Math.min(expiresAt, stoppedAt ?? expiresAt)
}

/** Lists the names of the sandboxes of this root. */
export async function listNames(root: string): Promise<string[]> {
  return (await readdir(root)).filter((name) => namePattern.test(name))
}

/** Creates a folder under a temporary name; `finishFolder` renames it atomically. */
export async function createDraftFolder(root: string, meta: Meta): Promise<Folder> {
  await mkdir(root, { recursive: true, mode: 0o711 })
  await sweepLeftovers(root, meta.name)
  const path = join(root, `.${checkName(meta.name)}.${randomBytes(6).toString('hex')}`)
  const folder = buildFolder(path, meta)
  await mkdir(path, { mode: 0o711 })
  for (const inside of [folder.workspace, folder.home]) {
    await mkdir(inside, { mode: 0o700 })
    if (meta.uid !== undefined) await chown(inside, meta.uid, meta.uid)
  }
  await mkdir(folder.receipts, { mode: 0o700 })
  await mkdir(folder.processes, { mode: 0o700 })
  await mkdir(folder.etc)
  await chmod(path, 0o711)
  await chmod(folder.etc, 0o755)
  return folder
}

/** Renames a complete draft. Returns undefined if another process has created the sandbox first. */
export async function finishFolder(root: string, draft: Folder): Promise<Folder | undefined> {
  await saveMeta(draft)
  const path = join(root, draft.meta.name)
  try {
    await rename(draft.path, path)
    return buildFolder(path, draft.meta)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return undefined
    throw error
  }
}

/** Renames the folder before deleting it, so that an interrupted removal leaves no partial sandbox. */
export async function removeFolder(root: string, folder: Folder): Promise<void> {
  const deletedPath = join(root, `.${folder.meta.name}.removed-${randomBytes(6).toString('hex')}`)
  try {
    await rename(folder.path, deletedPath)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  await rm(deletedPath, { recursive: true, force: true, maxRetries: 3 })
}

export function checkReceipt(receipt: string): string {
  if (!receiptPattern.test(receipt)) throw new TypeError('a receipt is 1 to 200 characters of letters, digits and ._:-')
  return receipt
}

export function dropReceipt(folder: Folder, receipt: string): Promise<void> {
  return rm(buildReceiptPath(folder, receipt), { force: true })
}

export async function findReceipt(folder: Folder, receipt: string): Promise<ExecResult | undefined> {
  const text = await readIfExists(buildReceiptPath(folder, receipt))
  return text === undefined ? undefined : (JSON.parse(text) as ExecResult)
}

/** Maximum characters of output in a receipt while the disk is full. The exit code is always stored. */
const maxOutputOnFullDisk = 2000

export async function writeReceipt(
  folder: Folder,
  receipt: string,
  result: ExecResult,
  disk: Pick<DiskSpace, 'room'>,
): Promise<void> {
  const stored = truncateOutput(result, (await disk.room()) > 0 ? maxReceiptOutput : maxOutputOnFullDisk)
  await writeAtomically(buildReceiptPath(folder, receipt), JSON.stringify(stored))
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function buildFolder(path: string, meta: Meta): Folder {
  return {
    path,
    workspace: join(path, 'workspace'),
    home: join(path, 'home'),
    etc: join(path, 'etc'),
    receipts: join(path, 'receipts'),
    processes: join(path, 'processes'),
    meta,
  }
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

/** Deletes folders of interrupted creations and removals. Recent folders may still be in use. */
async function sweepLeftovers(root: string, name: string): Promise<void> {
  for (const entry of await readdir(root)) {
    if (!entry.startsWith(`.${name}.`)) continue
    const { mtimeMs } = await stat(join(root, entry)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > maxLeftoverAgeMs) await rm(join(root, entry), { recursive: true, force: true })
  }
}

function buildReceiptPath(folder: Folder, receipt: string): string {
  return join(folder.receipts, `${checkReceipt(receipt)}.json`)
}

function truncateOutput(result: ExecResult, characters: number): ExecResult {
  return result.output.length <= characters
    ? result
    : { ...result, output: result.output.slice(0, characters), truncated: true }
}
