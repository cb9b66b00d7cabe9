import { createHash, randomBytes } from 'node:crypto'
import { link, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { StoredPack } from '../../../domain/repositories/stored.ts'
import { ignoreErrorCode } from '../../blob/built-in/disk-objects.ts'
import { findFileOwner, changeOwner, createOwnedFolder } from '../local/git-user.ts'
import { toUnavailable, type PackObjects } from './objects.ts'

const downloadTimeoutMs = 10 * 60_000

/**
 * Copies of packs on the disk of this machine, shared by its processes. The folder may be deleted at any time: a pack is
 * then downloaded again. Each repository that uses a pack has its own hard link to it.
 */
export type PackCache = {
  /** Links a pack and its index into the pack folder of a repository. */
  linkInto(folder: string, repositoryId: string, pack: StoredPack): Promise<void>
  /** Adds a pack that this machine has created in the pack folder of a repository. */
  adopt(folder: string, repositoryId: string, pack: StoredPack): Promise<void>
  /** Deletes the least recently used packs until the cache is within `maxBytes`. */
  prune(): Promise<void>
}

/** File name of a pack without its extension. */
export function packName({ sha256 }: Pick<StoredPack, 'sha256'>): string {
  return `pack-${sha256}`
}

export function createPackCache({
  root,
  objects,
  maxBytes,
}: {
  root: string
  objects: PackObjects
  maxBytes: number
}): PackCache {
  const downloads = new Map<string, Promise<void>>()

  /** Downloads a pack as `<base>.pack` and `<base>.idx`. Fails with ENOENT if the folder is deleted during the download. */
  const download = async (base: string, repositoryId: string, pack: StoredPack): Promise<void> => {
    const draft = `${base}.${randomBytes(6).toString('hex')}.draft`
    try {
      await writePack(await objects.open({ repositoryId, ...pack }), draft, pack)
      await changeOwner(await findFileOwner(dirname(base)), `${draft}.pack`, `${draft}.idx`)
      await rename(`${draft}.pack`, `${base}.pack`)
      await rename(`${draft}.idx`, `${base}.idx`)
    } finally {
      await rm(`${draft}.pack`, { force: true })
      await rm(`${draft}.idx`, { force: true })
    }
  }

  /** Concurrent users of a pack in this process share one download. */
  const downloadOnce = (base: string, repositoryId: string, pack: StoredPack): Promise<void> => {
    const running =
      downloads.get(base) ??
      createOwnedFolder(root, repositoryId)
        .then(() => download(base, repositoryId, pack))
        .finally(() => downloads.delete(base))
    downloads.set(base, running)
    return running
  }

  return {
    linkInto: async (folder, repositoryId, pack) => {
      const base = join(root, repositoryId, packName(pack))
      const linkPack = async (): Promise<true> => {
        await linkBoth(base, join(folder, packName(pack)))
        const now = new Date()
        await utimes(`${base}.pack`, now, now).catch(() => {})
        return true
      }
      if (await ignoreErrorCode('ENOENT', linkPack())) return
      const isCached = await ignoreErrorCode('ENOENT', downloadOnce(base, repositoryId, pack).then(linkPack))
      // The folder was deleted during the download.
      if (!isCached) await download(join(folder, packName(pack)), repositoryId, pack)
    },
    adopt: async (folder, repositoryId, pack) => {
      const base = join(root, repositoryId, packName(pack))
      await createOwnedFolder(root, repositoryId)
      await linkBoth(join(folder, packName(pack)), base)
    },
    prune: async () => {
      const packs = await listPacks(root)
      let total = packs.reduce((sum, { bytes }) => sum + bytes, 0)
      for (const { base, bytes } of packs.toSorted((a, b) => a.usedAt - b.usedAt)) {
        if (total <= maxBytes) return
        // Delete the index first, because a pack without an index is treated as missing.
        await rm(`${base}.idx`, { force: true })
        await rm(`${base}.pack`, { force: true })
        total -= bytes
      }
    },
  }
}

/** Writes the object of a pack into two files and verifies its hash. */
async function writePack(
  content: Readable,
  draft: string,
  { sha256, packBytes, indexBytes }: StoredPack,
): Promise<void> {
  const hash = createHash('sha256')
  const timer = setTimeout(() => content.destroy(new Error('the download exceeded its time limit')), downloadTimeoutMs)
  const pack = await open(`${draft}.pack`, 'wx', 0o600)
  try {
    const index = await open(`${draft}.idx`, 'wx', 0o600)
    try {
      let offset = 0
      for await (const chunk of translateReadErrors(content)) {
        hash.update(chunk)
        const packChunk = chunk.subarray(0, Math.max(0, packBytes - offset))
        if (packChunk.length > 0) await pack.writeFile(packChunk)
        if (packChunk.length < chunk.length) await index.writeFile(chunk.subarray(packChunk.length))
        offset += chunk.length
      }
      if (offset !== packBytes + indexBytes || hash.digest('hex') !== sha256)
        throw toUnavailable(new Error(`the object of pack ${sha256} is damaged`))
    } finally {
      await index.close()
    }
  } finally {
    clearTimeout(timer)
    content.destroy()
    await pack.close()
  }
}

async function* translateReadErrors(content: Readable): AsyncGenerator<Buffer> {
  try {
    yield* content as AsyncIterable<Buffer>
  } catch (error) {
    throw toUnavailable(error)
  }
}

async function linkBoth(from: string, to: string): Promise<void> {
  for (const extension of ['pack', 'idx'])
    await link(`${from}.${extension}`, `${to}.${extension}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
}

async function listPacks(root: string): Promise<{ base: string; bytes: number; usedAt: number }[]> {
  const packs: { base: string; bytes: number; usedAt: number }[] = []
  for (const repositoryId of await readdir(root).catch(() => []))
    for (const file of await readdir(join(root, repositoryId)).catch(() => [])) {
      if (!file.endsWith('.pack')) continue
      const path = join(root, repositoryId, file)
      const stats = await stat(path).catch(() => undefined)
      if (stats !== undefined)
        packs.push({ base: path.slice(0, -'.pack'.length), bytes: stats.size, usedAt: stats.mtimeMs })
    }
  return packs
}
