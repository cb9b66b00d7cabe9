import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serve } from './serve.ts'

type Stored = { bytes: Buffer; changedAt: Date }

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** An S3-compatible service with one bucket and one key: put, get, delete and list, two objects a page. */
export const startS3 = async ({ bucket, accessKeyId }: { bucket: string; accessKeyId: string }) => {
  const objects = new Map<string, Stored>()
  const requests: string[] = []

  const list = (url: URL, response: ServerResponse): void => {
    const after = url.searchParams.get('continuation-token') ?? ''
    const names = [...objects.keys()].filter((name) => name.startsWith(url.searchParams.get('prefix') ?? '')).sort()
    const left = names.filter((name) => name > after)
    const page = left.slice(0, 2)
    const contents = page.map((name) => {
      const { bytes, changedAt } = objects.get(name) as Stored
      return `<Contents><Key>${escape(name)}</Key><Size>${bytes.length}</Size><LastModified>${changedAt.toISOString()}</LastModified></Contents>`
    })
    const more = left.length > page.length
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}${
        more ? `<NextContinuationToken>${escape(page.at(-1) ?? '')}</NextContinuationToken>` : ''
      }</ListBucketResult>`,
    )
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://s3')
    const [, name = '', ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    const bytes = await buffer(request)
    requests.push(`${request.method} ${key}`)
    if (!(request.headers.authorization ?? '').startsWith(`AWS4-HMAC-SHA256 Credential=${accessKeyId}/`))
      return refuse(response, 403, 'InvalidAccessKeyId')
    if (name !== bucket) return refuse(response, 404, 'NoSuchBucket')
    if (request.method === 'GET' && key === '') return list(url, response)
    if (request.method === 'PUT') {
      if (request.headers['content-length'] !== String(bytes.length))
        return refuse(response, 411, 'MissingContentLength')
      objects.set(key, { bytes, changedAt: new Date() })
      response.writeHead(200, { etag: '"etag"' }).end()
      return
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      response.writeHead(204).end()
      return
    }
    const found = objects.get(key)
    if (found === undefined) return refuse(response, 404, 'NoSuchKey')
    response.writeHead(200, { 'content-length': found.bytes.length }).end(found.bytes)
  }

  const server = await serve((request, response) => void answer(request, response))
  return { ...server, objects, requests }
}
