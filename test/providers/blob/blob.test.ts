import { connect as dial } from 'node:net'
import { Agent } from 'undici'
import { createVercelBlobs } from '../../../providers/blob/vercel.ts'
import { createWorld } from '../../world/world.ts'
import { describeBlobs } from './contract.ts'
import { startS3 } from '../vendors/s3.ts'
import { startVercelBlob } from '../vendors/vercel/vercel-blob.ts'

const openInWorld = async (settings: Record<string, string>, closeVendor = async () => {}) => {
  const world = await createWorld({ worker: false, settings })
  return {
    blobs: world.deps.blobs,
    apiUrl: `${world.baseUrl}/blob`,
    close: async () => {
      await world.close()
      await closeVendor()
    },
  }
}

describeBlobs({ name: 'the embedded store on a disk', open: () => openInWorld({}) })

describeBlobs({
  name: 'the embedded store in a bucket',
  open: async () => {
    const s3 = await startS3({ bucket: 'staged', accessKeyId: 'AKIATEST' })
    const settings = {
      BLOB_STORE: 's3',
      BLOB_S3_BUCKET: 'staged',
      BLOB_S3_ENDPOINT: s3.url,
      BLOB_S3_ACCESS_KEY_ID: 'AKIATEST',
      BLOB_S3_SECRET_ACCESS_KEY: 'secret',
    }
    return openInWorld(settings, () => s3.close())
  },
})

describeBlobs({
  name: 'Vercel Blob',
  open: async () => {
    const readWriteToken = 'vercel_blob_rw_TestStore_secret'
    const vendor = await startVercelBlob(readWriteToken)
    // The store's URLs point to this server, without TLS.
    const dispatcher = new Agent({
      connect: (_options, callback) => {
        const socket = dial(vendor.port, '127.0.0.1')
        socket.once('connect', () => callback(null, socket))
        socket.once('error', (error) => callback(error, null))
      },
    })
    const close = async (): Promise<void> => {
      await dispatcher.close()
      await vendor.close()
    }
    return { blobs: createVercelBlobs({ readWriteToken, dispatcher }), apiUrl: vendor.url, close }
  },
})
