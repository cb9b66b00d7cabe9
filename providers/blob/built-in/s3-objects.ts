import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { BlobObjects } from '../index.ts'

export type S3Options = {
  bucket: string
  region: string
  /** Absent: Amazon S3. */
  endpoint?: string | undefined
  /** Absent: what the SDK finds on this machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Objects in a bucket of anything that speaks S3. One request an operation: whoever asks tries again. */
export async function createS3Objects(options: S3Options): Promise<BlobObjects> {
  const { bucket, region, endpoint, credentials } = options
  // Large: loaded where it is used alone.
  const { DeleteObjectCommand, GetObjectCommand, NoSuchKey, paginateListObjectsV2, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3')
  const client = new S3Client({
    region,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
  })
  const at = (Key: string) => ({ Bucket: bucket, Key })
  return {
    put: async (name, { path, size }) => {
      const content = createReadStream(path)
      try {
        await client.send(new PutObjectCommand({ ...at(name), Body: content, ContentLength: size }))
      } finally {
        content.destroy()
      }
    },
    open: async (name) => {
      try {
        const { Body, ContentLength } = await client.send(new GetObjectCommand(at(name)))
        return { size: ContentLength ?? 0, content: Body as Readable }
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },
    remove: async (name) => {
      await client.send(new DeleteObjectCommand(at(name)))
    },
    list: async function* (prefix) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}/` }))
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key !== undefined) yield { name: Key, size: Size ?? 0, changedAt: LastModified ?? new Date() }
    },
  }
}
