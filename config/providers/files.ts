import { z } from 'zod'
import { count } from '../values.ts'

const fileNames = {
  BLOB_STORE: z
    .enum(['local', 'vercel', 's3'])
    .default('local')
    .meta({ description: 'Store of staged files: DATA_DIR, Vercel Blob or an S3-compatible store.' }),
  BLOB_READ_WRITE_TOKEN: z.string().optional().meta({ description: 'Token of the Vercel Blob store.', secret: true }),
  BLOB_S3_BUCKET: z.string().optional().meta({ description: 'Bucket of staged files.' }),
  BLOB_S3_REGION: z.string().default('us-east-1').meta({ description: 'Region of BLOB_S3_BUCKET.' }),
  BLOB_S3_ENDPOINT: z.url().optional().meta({ description: 'Address of an S3-compatible service. Unset: Amazon S3.' }),
  BLOB_S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .meta({ description: 'Key of the bucket. Unset: the credentials that the machine has.' }),
  BLOB_S3_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .meta({ description: 'Secret of BLOB_S3_ACCESS_KEY_ID.', secret: true }),
  BLOB_EXPIRY_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .default(24)
    .meta({ description: 'Age at which an unused staged file is deleted.' }),
  UPLOADS_PER_MINUTE: count.default(120).meta({
    description: 'Uploads that an account may start per minute, over all API processes. 0: no limit.',
  }),
  UPLOAD_MEGABYTES_PER_DAY: count.default(2048).meta({
    description:
      'Megabytes of staged files that an account may upload in 24 hours, over all API processes. 0: no limit.',
  }),
  DISK_RESERVE_MEGABYTES: count.optional().meta({
    description:
      'Free space of the disk of DATA_DIR, in megabytes, that uploads, pushes, snapshots, new sandboxes and commands cannot use. Unset: 5 % of the disk, at least 1024 and at most 10240.',
  }),
}

type Values = z.output<z.ZodObject<typeof fileNames>>

/** Settings of the disk, for `openDiskSpace`. */
export function diskSettings(config: Values & { DATA_DIR: string }) {
  return {
    folder: config.DATA_DIR,
    ...(config.DISK_RESERVE_MEGABYTES !== undefined && { reserveBytes: config.DISK_RESERVE_MEGABYTES * 1024 * 1024 }),
  }
}

/** Upload limits of an account. */
export function uploadLimits(config: Values) {
  return {
    perMinute: config.UPLOADS_PER_MINUTE,
    bytesPerDay: config.UPLOAD_MEGABYTES_PER_DAY * 1024 * 1024,
  }
}

/** Settings of the store of staged files. */
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

/** Settings of the store of finished media, which is beside that of staged files. */
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

/** The bucket of private objects that every machine reads and writes; undefined without one. */
export function bucketOptions(config: Values) {
  return pickVendor(config).s3
}

export const fileGroup = { names: fileNames, faults: blobFaults }

/** The vendor that stores files, if any. */
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

function blobFaults(config: Values): string[] {
  const needed = { local: undefined, vercel: 'BLOB_READ_WRITE_TOKEN', s3: 'BLOB_S3_BUCKET' } as const
  const name = needed[config.BLOB_STORE]
  return name === undefined || config[name] !== undefined
    ? []
    : [`${name} is required with BLOB_STORE=${config.BLOB_STORE}.`]
}
