import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launch } from '../../../dev/processes/processes.ts'
import { awaitReady } from '../../../dev/processes/readiness.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { openS3 } from '../../../providers/blob/s3-client.ts'
import { searchEnvironment } from '../../../providers/bare-environment.ts'
import { installGoProgram } from '../../peers/installed.ts'
import type { Start } from '../cluster/member.ts'

const module = 'github.com/versity/versitygw/cmd/versitygw'
const version = 'v1.8.0'
const bucket = 'backline'
const region = 'us-east-1'
const credentials = { accessKeyId: 'fleet', secretAccessKey: 'the secret of the object store' }

/** An S3-compatible object store: versitygw on a folder. */
export type ObjectStore = {
  start: Start
  createBucket(): Promise<void>
  /** Settings of the processes that use the store. */
  settings: Record<string, string>
}

export const createObjectStore = async (options: { folder: string; logFile: string }): Promise<ObjectStore> => {
  const program = await installGoProgram(module, version)
  if (program === undefined)
    throw new Error('versitygw, the object store of the fleet, cannot be installed: it needs Go')
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const [objects, metadata] = ['objects', 'metadata'].map((name) => join(options.folder, name)) as [string, string]

  const isReady = async (): Promise<boolean> => {
    try {
      const response = await fetch(`${endpoint}/health`, { signal: AbortSignal.timeout(2000) })
      await response.arrayBuffer()
      return response.ok
    } catch {
      return false
    }
  }

  return {
    start: async (onLaunch) => {
      await mkdir(objects, { recursive: true })
      await mkdir(metadata, { recursive: true })
      const log = await open(options.logFile, 'a', 0o600)
      const server = await launch({
        // Metadata is stored in files, because not every file system has extended attributes.
        command: [
          program,
          '--port',
          `127.0.0.1:${port}`,
          '--health',
          '/health',
          'posix',
          '--sidecar',
          metadata,
          objects,
        ],
        env: {
          ...searchEnvironment,
          ROOT_ACCESS_KEY: credentials.accessKeyId,
          ROOT_SECRET_KEY: credentials.secretAccessKey,
          VGW_REGION: region,
        },
        stdio: ['ignore', log.fd, log.fd],
        deathSignal: 'TERM',
        stopSteps: [{ signal: 'SIGTERM', waitMs: 5000 }],
      })
      await log.close()
      onLaunch(server)
      return awaitReady(server, 'the object store', isReady).catch(async (error: unknown) => {
        throw new Error((await readFile(options.logFile, 'utf8')).slice(-2000), { cause: error })
      })
    },
    createBucket: async () => {
      const { client, sdk } = await openS3({ bucket, region, endpoint, credentials })
      await client.send(new sdk.CreateBucketCommand({ Bucket: bucket }))
      client.destroy()
    },
    settings: {
      BLOB_STORE: 's3',
      BLOB_S3_BUCKET: bucket,
      BLOB_S3_REGION: region,
      BLOB_S3_ENDPOINT: endpoint,
      BLOB_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      BLOB_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  }
}
