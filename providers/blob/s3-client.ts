export type S3Options = {
  bucket: string
  region: string
  /** Absent: Amazon S3. */
  endpoint?: string | undefined
  /** Absent: what the SDK finds on this machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** A client for S3-compatible services, with the commands of its library. It does not retry: callers do. */
export async function openS3({ region, endpoint, credentials }: S3Options) {
  // Large, so it is loaded only when it is used.
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
  })
  return { client, sdk }
}
