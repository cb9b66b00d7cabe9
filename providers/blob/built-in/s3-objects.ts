import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { BlobObjects } from '../index.ts'
import { openS3, type S3Options } from '../s3-client.ts'

/** Stores objects in a bucket of an S3-compatible service. Sends one request per operation, without retries. */
export async function createS3Objects(options: S3Options): Promise<BlobObjects> {
  const { bucket } = options
  const { client, sdk } = await openS3(options)
  const { DeleteObjectCommand, GetObjectCommand, NoSuchKey, paginateListObjectsV2, PutObjectCommand } = sdk
  const locate = (Key: string) => ({ Bucket: bucket, Key })
  return {
    put: async (name, { path, size }) => {
      const content = createReadStream(path)
      try {
        await client.send(new PutObjectCommand({ ...locate(name), Body: content, ContentLength: size }))
      } finally {
        content.destroy()
      }
    },
    open: async (name) => {
      try {
        const { Body, ContentLength } = await client.send(new GetObjectCommand(locate(name)))
        return { size: ContentLength ?? 0, content: Body as Readable }
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },
    remove: async (name) => {
      await client.send(new DeleteObjectCommand(locate(name)))
    },
    list: async function* (prefix) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}/` }))
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key !== undefined) yield { name: Key, size: Size ?? 0, changedAt: LastModified ?? new Date() }
    },
  }
}
