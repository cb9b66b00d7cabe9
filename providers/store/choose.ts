import { resolve } from 'node:path'
import { createFolderStore, type FolderStoreOptions } from './folder.ts'
import type { StorePort } from './index.ts'
import { createMeteredStore, type MeteredStoreOptions } from './metered.ts'
import type { S3StoreOptions } from './s3.ts'

export type StoreOptions = FolderStoreOptions & {
  metering: Omit<MeteredStoreOptions, 'disk'> & { disk: NonNullable<MeteredStoreOptions['disk']> }
  vercel?: { readWriteToken: string } | undefined
  s3?: S3StoreOptions | undefined
}

/** Creates the store of finished media of this deployment. Loads a vendor's library only if that vendor is configured. */
export async function createStore({ folder, storeUrl, vercel, s3, metering }: StoreOptions): Promise<StorePort> {
  const vendorMetering = { ...metering, disk: undefined }
  if (vercel !== undefined)
    return createMeteredStore((await import('./vercel.ts')).createVercelStore(vercel), vendorMetering)
  if (s3 !== undefined) return createMeteredStore(await (await import('./s3.ts')).createS3Store(s3), vendorMetering)
  return createMeteredStore(createFolderStore({ folder: resolve(folder), storeUrl }), metering)
}
