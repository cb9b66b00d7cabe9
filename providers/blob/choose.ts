import { createHmac } from 'node:crypto'
import { resolve } from 'node:path'
import { createDiskObjects } from './built-in/disk-objects.ts'
import type { BlobObjects, BlobPort } from './index.ts'
import { createEmbeddedBlobs, type EmbeddedBlobOptions } from './built-in/embedded-blobs.ts'
import { createS3Objects } from './built-in/s3-objects.ts'
import type { S3Options } from './s3-client.ts'

export type BlobOptions = {
  /** Folder on this machine for the objects and incomplete uploads of the embedded store. */
  folder: string
  /** URL for uploads to the embedded store. */
  storeUrl: string
  /** Secret of the deployment, from which the key that signs upload tokens of the embedded store is derived. */
  serverSecret: string
  vercel?: { readWriteToken: string } | undefined
  s3?: S3Options | undefined
  /** Set only in a process that receives uploads to the embedded store. */
  receiving?: EmbeddedBlobOptions['receiving']
  log: { warn(details: object, message: string): void }
}

/** Creates the blob store of this deployment. Loads a vendor's library only if that vendor is configured. */
export async function createBlobs(options: BlobOptions): Promise<BlobPort> {
  const { folder, storeUrl, serverSecret, vercel, s3, receiving, log } = options
  if (vercel !== undefined) return (await import('./vercel.ts')).createVercelBlobs(vercel)
  const root = resolve(folder)
  const secret = createHmac('sha256', serverSecret).update('blob store').digest('hex')
  return createEmbeddedBlobs({
    objects: s3 === undefined ? createDiskObjects(root) : await createS3Objects(s3),
    spoolFolder: `${root}/incoming`,
    storeUrl,
    readWriteToken: `vercel_blob_rw_own_${secret}`,
    receiving,
    log,
  })
}

/** Creates the object store in the bucket that all machines share. Returns undefined if no bucket is configured. */
export async function openSharedObjects(s3: S3Options | undefined): Promise<BlobObjects | undefined> {
  return s3 && createS3Objects(s3)
}
