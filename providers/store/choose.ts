import { resolve } from 'node:path'
import { createFolderStore, type FolderStoreOptions } from './folder.ts'
import type { StorePort } from './index.ts'
import type { S3StoreOptions } from './s3.ts'

export type StoreOptions = FolderStoreOptions & {
  vercel?: { readWriteToken: string } | undefined
  s3?: S3StoreOptions | undefined
}

/** The store of finished media of this deployment. A vendor's library is loaded where it is used. */
export async function createStore({ folder, storeUrl, vercel, s3 }: StoreOptions): Promise<StorePort> {
  if (vercel !== undefined) return (await import('./vercel.ts')).createVercelStore(vercel)
  if (s3 !== undefined) return (await import('./s3.ts')).createS3Store(s3)
  return createFolderStore({ folder: resolve(folder), storeUrl })
}
