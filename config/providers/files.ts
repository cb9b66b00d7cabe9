import type { z } from 'zod'
import { requireSettings } from '../requirements.ts'
import { anyText, anyUrl, choice, count, positive, secret } from '../values.ts'

const fileShape = {
  BLOB_STORE: choice(['local', 'vercel', 's3']).describe(
    'Store of staged files: DATA_DIR, Vercel Blob or an S3-compatible store.',
  ),
  BLOB_READ_WRITE_TOKEN: secret('Token of the Vercel Blob store. Required with BLOB_STORE=vercel.'),
  BLOB_S3_BUCKET: anyText().describe('Bucket of staged files and media. Required with BLOB_STORE=s3.'),
  BLOB_S3_REGION: anyText('us-east-1').describe('Region of BLOB_S3_BUCKET.'),
  BLOB_S3_ENDPOINT: anyUrl().describe('URL of an S3-compatible service. Unset: Amazon S3.'),
  BLOB_S3_ACCESS_KEY_ID: anyText().describe(
    'Access key id for the bucket. Unset: the default credential chain of AWS.',
  ),
  BLOB_S3_SECRET_ACCESS_KEY: secret('Secret access key of BLOB_S3_ACCESS_KEY_ID.'),
  BLOB_EXPIRY_HOURS: positive(24).describe('Age, in hours, at which an unused staged file is deleted.'),
  UPLOADS_PER_MINUTE: count(120).describe(
    'Maximum number of uploads that an account can start per minute, across all API processes. 0: no limit.',
  ),
  UPLOAD_MEGABYTES_PER_DAY: count(2048).describe(
    'Maximum size, in megabytes, of the staged files that an account can upload in 24 hours, across all API processes. 0: no limit.',
  ),
  DISK_RESERVE_MEGABYTES: count().describe(
    'Free space on the disk of DATA_DIR, in megabytes, that uploads, pushes, snapshots, new sandboxes and commands cannot use. Unset: 5 % of the disk, at least 1024 and at most 10240.',
  ),
}

type Values = z.output<z.ZodObject<typeof fileShape>>

/** Returns the settings for `openDiskSpace`. */
export function diskSettings(config: Values & { DATA_DIR: string }) {
  return {
    folder: config.DATA_DIR,
    ...(config.DISK_RESERVE_MEGABYTES !== undefined && { reserveBytes: config.DISK_RESERVE_MEGABYTES * 1024 * 1024 }),
  }
}

/** Returns the upload limits of an account. */
export function uploadLimits(config: Values) {
  return {
    perMinute: config.UPLOADS_PER_MINUTE,
    bytesPerDay: config.UPLOAD_MEGABYTES_PER_DAY * 1024 * 1024,
  }
}

/** Returns the settings of the store for staged files. */
export function blobOptions<Log>(
  config: Values & { DATA_DIR: string; baseUrl: string; SERVER_SECRET?: string | undefined },
  log: Log,
) {
  return {
    folder: `${config.DATA_DIR}/blobs`,
    storeUrl: `${config.baseUrl}/blob`,
    serverSecret: config.SERVER_SECRET ?? '',
    ...pickVendor(config),
    log,
  }
}

/** Returns the settings of the store for finished media, which uses the same vendor as the store for staged files. */
export function storeOptions(
  config: Values & { DATA_DIR: string; baseUrl: string; MEDIA_PUBLIC_URL?: string | undefined },
) {
  const { vercel, s3 } = pickVendor(config)
  return {
    folder: `${config.DATA_DIR}/media`,
    storeUrl: `${config.baseUrl}/media`,
    vercel,
    s3: s3 && { ...s3, publicUrl: config.MEDIA_PUBLIC_URL },
  }
}

/** Returns the bucket of private objects that every machine reads and writes; undefined if there is none. */
export function bucketOptions(config: Values) {
  return pickVendor(config).s3
}

export const fileGroup = { settings: fileShape, validate: validateBlobs }

/** Returns the settings of the vendor that stores files; empty for local files. */
function pickVendor(config: Values) {
  const { BLOB_S3_ACCESS_KEY_ID: accessKeyId, BLOB_S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  return {
    ...(config.BLOB_STORE === 'vercel' && { vercel: { readWriteToken: config.BLOB_READ_WRITE_TOKEN ?? '' } }),
    ...(config.BLOB_STORE === 's3' && {
      s3: {
        bucket: config.BLOB_S3_BUCKET ?? '',
        region: config.BLOB_S3_REGION,
        endpoint: config.BLOB_S3_ENDPOINT,
        credentials:
          accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
      },
    }),
  }
}

function validateBlobs(config: Values): string[] {
  const required = { local: [], vercel: ['BLOB_READ_WRITE_TOKEN'], s3: ['BLOB_S3_BUCKET'] } as const
  return requireSettings(config, required[config.BLOB_STORE], `with BLOB_STORE=${config.BLOB_STORE}`)
}
