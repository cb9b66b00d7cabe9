import { chown, mkdir, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Numeric user and group of this machine. */
export type Owner = { uid: number; gid: number }

/**
 * Returns the owner of a folder, or of its nearest existing parent. Undefined if the owner is root, or if this process is not
 * root and cannot change its user.
 */
export async function findFileOwner(path: string): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (let folder = path; ; folder = dirname(folder)) {
    const stats = await stat(folder).catch(() => undefined)
    if (stats !== undefined) return stats.uid === 0 ? undefined : { uid: stats.uid, gid: stats.gid }
    if (folder === dirname(folder)) return undefined
  }
}

export async function changeOwner(owner: Owner | undefined, ...paths: string[]): Promise<void> {
  if (owner === undefined) return
  for (const path of paths) await chown(path, owner.uid, owner.gid)
}

/** Creates the folder `root` and its subfolder `name`. New folders get the owner of the nearest existing folder. */
export async function createOwnedFolder(root: string, name: string): Promise<string> {
  const owner = await findFileOwner(root)
  for (const path of [root, join(root, name)])
    if ((await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined) await changeOwner(owner, path)
  return join(root, name)
}

/** Creates a temporary folder that belongs to the owner of the repository at `directory`. */
export async function createScratch(prefix: string, directory?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  if (directory !== undefined) await changeOwner(await findFileOwner(directory), folder)
  return folder
}
