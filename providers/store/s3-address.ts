import { SignatureV4 } from '@smithy/signature-v4'
import type { S3Client } from '@aws-sdk/client-s3'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'
import type { S3Options } from '../blob/s3-client.ts'

/** Returns the base URL of the objects in a bucket, without a trailing slash. */
export function buildBucketUrl({ bucket, region, endpoint }: S3Options): string {
  if (endpoint !== undefined) return `${withoutTrailingSlashes(endpoint)}/${bucket}`
  // Amazon's wildcard certificate covers one label, so a bucket name with a dot must be in the path.
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

/** Returns a function that signs URLs. Anyone can read an object with its signed URL for `expiresIn` seconds. */
export function createPresign(client: S3Client, region: string, expiresIn: number): (url: string) => Promise<string> {
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: client.config.credentials,
    sha256: client.config.sha256,
    uriEscapePath: false,
  })
  return async (url) => {
    const { protocol, hostname, port, pathname, host } = new URL(url)
    const request = {
      method: 'GET',
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: pathname,
      query: {},
      headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
    }
    const { query = {} } = await signer.presign(request, { expiresIn })
    const signed = new URL(url)
    for (const [name, value] of Object.entries(query)) signed.searchParams.set(name, String(value))
    return signed.href
  }
}
