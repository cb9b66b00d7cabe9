export type S3Options = {
  bucket: string
  region: string
  /** Defaults to Amazon S3. */
  endpoint?: string | undefined
  /** Default: the SDK's credential provider chain. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Creates a client for S3-compatible services. Returns it with its library. The client does not retry requests. */
export async function openS3({ region, endpoint, credentials }: S3Options) {
  // The library is large, so it is loaded only on first use.
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
