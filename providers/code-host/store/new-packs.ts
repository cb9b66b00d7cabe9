import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryLedger, StoredPack } from '../../../domain/repositories/stored.ts'
import { git } from '../git.ts'
import type { PackObjects } from './objects.ts'
import { packName, type PackCache } from './pack-cache.ts'
import { listNewPacks, type View } from './view.ts'

export type UploadOptions = { ledger: RepositoryLedger; objects: PackObjects; cache: PackCache }

/**
 * Packs and uploads the objects that git has written to a view. Returns all uncommitted packs, including those of earlier
 * attempts, whose objects the refs may also need.
 */
export async function uploadNewPacks(options: UploadOptions, view: View): Promise<StoredPack[]> {
  await packLooseObjects(view)
  for (const name of await listNewPacks(view)) view.uncommitted.push(await uploadPack(options, view, name))
  return view.uncommitted
}

/** Uploads a pack of the view and gives its files the name that the cache expects. */
export async function uploadPack(
  { ledger, objects, cache }: UploadOptions,
  view: View,
  name: string,
): Promise<StoredPack> {
  const folder = join(view.directory, 'objects', 'pack')
  const object = join(view.directory, `${name}.object`)
  try {
    const pack = await joinFiles([join(folder, `${name}.pack`), join(folder, `${name}.idx`)], object)
    const repositoryId = view.stored.id
    await ledger.reserve(repositoryId, pack)
    await objects.upload({ repositoryId, ...pack }, { path: object, size: pack.packBytes + pack.indexBytes })
    for (const extension of ['pack', 'idx'])
      await rename(join(folder, `${name}.${extension}`), join(folder, `${packName(pack)}.${extension}`))
    view.storedPacks.add(packName(pack))
    // The cache is optional: without a copy, the next use downloads the pack.
    await cache.adopt(folder, repositoryId, pack).catch(() => {})
    return pack
  } finally {
    await rm(object, { force: true })
  }
}

const loosePattern = /^[0-9a-f]{2}$/

async function packLooseObjects({ directory }: View): Promise<void> {
  const objects = join(directory, 'objects')
  const folders = (await readdir(objects)).filter((name) => loosePattern.test(name))
  const ids: string[] = []
  for (const folder of folders)
    for (const file of await readdir(join(objects, folder))) if (/^[0-9a-f]{38}$/.test(file)) ids.push(folder + file)
  if (ids.length === 0) return
  const stdin = ids.map((id) => `${id}\n`).join('')
  await git(directory, ['pack-objects', '--quiet'], { external: [join(objects, 'pack', 'pack')], stdin })
  for (const folder of folders) await rm(join(objects, folder), { recursive: true, force: true })
}

/** Writes a pack and its index into one file and computes its hash. */
async function joinFiles([packPath, indexPath]: [string, string], target: string): Promise<StoredPack> {
  const hash = createHash('sha256')
  const file = await open(target, 'wx', 0o600)
  try {
    for (const path of [packPath, indexPath])
      for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
        hash.update(chunk)
        await file.writeFile(chunk)
      }
  } finally {
    await file.close()
  }
  const [pack, index] = [await stat(packPath), await stat(indexPath)]
  return { id: randomUUID(), sha256: hash.digest('hex'), packBytes: pack.size, indexBytes: index.size }
}
