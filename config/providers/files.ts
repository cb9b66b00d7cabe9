import { z } from 'zod'
import { count } from '../values.ts'

const fileShape = {
  BLOB_STORE: z
    .enum(['local', 'vercel', 's3'])
    .default('local')
    .meta({ description: 'Store of staged files: DATA_DIR, Vercel Blob or an S3-compatible store.' }),
  BLOB_READ_WRITE_TOKEN: z
    .string()
    .optional()
    .meta({ description: 'Token of the Vercel Blob store. Required with BLOB_STORE=vercel.', secret: true }),
  BLOB_S3_BUCKET: z
    .string()
    .optional()
    .meta({ description: 'Bucket of staged files and media. Required with BLOB_STORE=s3.' }),
  BLOB_S3_REGION: z.string().default('us-east-1').meta({ description: 'Region of BLOB_S3_BUCKET.' }),
  BLOB_S3_ENDPOINT: z.url().optional().meta({ description: 'URL of an S3-compatible service. Unset: Amazon S3.' }),
  BLOB_S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .meta({ description: 'Access key id for the bucket. Unset: the default credential chain of AWS.' }),
  BLOB_S3_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .meta({ description: 'Secret access key of BLOB_S3_ACCESS_KEY_ID.', secret: true }),
  BLOB_EXPIRY_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .default(24)
    .meta({ description: 'Age, in hours, at which an unused staged file is deleted.' }),
  UPLOADS_PER_MINUTE: count.default(120).meta({
    description:
      'Maximum number of uploads that an account can start per minute, across all API processes. 0: no limit.',
  }),
  UPLOAD_MEGABYTES_PER_DAY: count.default(2048).meta({
    description:
      'Maximum size, in megabytes, of the staged files that an account can upload in 24 hours, across all API processes. 0: no limit.',
  }),
  DISK_RESERVE_MEGABYTES: count.optional().meta({
    description:
      'Free space on the disk of DATA_DIR, in megabytes, that uploads, pushes, snapshots, new sandboxes and commands cannot use. Unset: 5 % of the disk, at least 1024 and at most 10240.',
  }),
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
  const requiredSettings = { local: undefined, vercel: 'BLOB_READ_WRITE_TOKEN', s3: 'BLOB_S3_BUCKET' } as const
  const name = requiredSettings[config.BLOB_STORE]
  return name === undefined || config[name] !== undefined
    ? []
    : [`${name} is required with BLOB_STORE=${config.BLOB_STORE}.`]
}
