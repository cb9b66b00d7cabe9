import { join } from 'node:path'
import { createRepositoryLedger } from '../../../db/repositories/stored.ts'
import { connect } from '../../../db/postgres/client.ts'
import { createS3Objects } from '../../../providers/blob/built-in/s3-objects.ts'
import type { BlobObjects } from '../../../providers/blob/index.ts'
import type { CodeHostPort } from '../../../providers/code-host/index.ts'
import type { AddressOptions } from '../../../providers/code-host/local/addresses.ts'
import { createLocalCodeHost } from '../../../providers/code-host/local/local.ts'
import { createStoreCodeHost } from '../../../providers/code-host/store/store.ts'
import { startS3 } from '../../providers/vendors/s3.ts'
import { cloneDatabase } from '../database.ts'

/** The code host of this test run. The proof suite runs the repository tests with each code host. */
export const codeHostOfRun = process.env['TEST_CODE_HOST'] === 'store' ? 'store' : 'local'

const bucket = 'repositories'
const accessKeyId = 'AKIATEST'

/** Starts an object store and returns the settings with which processes store repositories in it. */
export const startObjectStore = async () => {
  const s3 = await startS3({ bucket, accessKeyId })
  const credentials = { accessKeyId, secretAccessKey: 'secret' }
  return {
    s3,
    objects: await createS3Objects({ bucket, region: 'us-east-1', endpoint: s3.url, credentials }),
    settings: {
      BLOB_STORE: 's3',
      BLOB_S3_BUCKET: bucket,
      BLOB_S3_ENDPOINT: s3.url,
      BLOB_S3_ACCESS_KEY_ID: accessKeyId,
      BLOB_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  }
}

type MachineOptions = Partial<AddressOptions> & {
  /** Used instead of the bucket. */
  objects?: BlobObjects
  maxRepositoryBytes?: number
  maxCacheBytes?: number
}

/** Opens a database and a bucket that several machines can use as a repository store. */
export const openRepositoryStore = async () => {
  const store = await startObjectStore()
  const database = await cloneDatabase()
  const db = connect({ url: database.url, max: 10, name: 'test' })
  return {
    db,
    s3: store.s3,
    objects: store.objects,
    /** Opens the code host of a machine that uses this folder. */
    openMachine: (root: string, options: MachineOptions = {}): CodeHostPort =>
      createStoreCodeHost({
        baseUrl: 'https://api.example/',
        objects: store.objects,
        maxCacheBytes: 1024 ** 3,
        ...options,
        root,
        ledger: createRepositoryLedger(db),
      }),
    close: async () => {
      await db.end({ timeout: 5 })
      await database.untilUnused()
      await store.s3.close()
    },
  }
}

/** Opens the code host of this run, with its repositories or their copies in the folder. */
export const openCodeHost = async (folder: string): Promise<{ host: CodeHostPort; close: () => Promise<void> }> => {
  const root = join(folder, 'repositories')
  if (codeHostOfRun === 'local')
    return { host: createLocalCodeHost({ root, baseUrl: 'https://api.example/' }), close: async () => {} }
  const { openMachine, close } = await openRepositoryStore()
  return { host: openMachine(root), close }
}
