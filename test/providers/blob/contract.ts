import { randomBytes, randomUUID } from 'node:crypto'
import { completeMultipartUpload, createMultipartUpload, put, uploadPart } from '@vercel/blob/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandshakeResponse } from '../../../providers/blob/handshake.ts'
import type { BlobPort } from '../../../providers/blob/index.ts'

/** A blob store with its server. The upload library sends its requests to `apiUrl`. */
type OpenedBlobStore = { blobs: BlobPort; apiUrl: string; close(): Promise<void> }
export type BlobStore = { name: string; open: () => Promise<OpenedBlobStore> }

const accountId = randomUUID()
const maxBytes = 1024 * 1024

const buildPath = (file: string): string => `accounts/${accountId}/${file}`

/** Declares the tests that every store of staged files passes. Uploads use the client library of the vendor. */
export const describeBlobs = ({ name, open }: BlobStore): void => {
  describe(`the store of staged files: ${name}`, () => {
    let store: OpenedBlobStore
    beforeAll(async () => {
      store = await open()
      process.env['VERCEL_BLOB_API_URL'] = store.apiUrl
      process.env['VERCEL_BLOB_RETRIES'] = '0'
    })
    afterAll(async () => {
      delete process.env['VERCEL_BLOB_API_URL']
      delete process.env['VERCEL_BLOB_RETRIES']
      await store.close()
    })

    const requestToken = async (pathname: string): Promise<string> => {
      const payload = { pathname, clientPayload: null, multipart: false }
      const body = { type: 'blob.generate-client-token', payload }
      const callbackUrl = 'http://127.0.0.1:9/api/sandboxes/staged-file'
      const response = await createHandshakeResponse(body, {
        blobs: store.blobs,
        accountId,
        callbackUrl,
        signature: undefined,
      })
      return String(response['clientToken'])
    }
    const upload = async (file: string, content: Buffer) =>
      put(buildPath(file), content, { access: 'public', token: await requestToken(buildPath(file)) })

    it('stores an upload under a path of the account with a random suffix and returns its bytes', async () => {
      const content = randomBytes(100_000)
      const blob = await upload('a song ü.mp3', content)
      expect(blob.pathname).toMatch(new RegExp(`^accounts/${accountId}/a song ü-[\\w]+\\.mp3$`))
      expect(blob).toMatchObject({ url: expect.any(String), downloadUrl: expect.any(String), etag: expect.any(String) })
      expect(store.blobs.findOwner(blob.url)).toBe(accountId)
      expect(Buffer.from((await store.blobs.read(blob.url, { maxBytes })) ?? [])).toEqual(content)
    })

    it('stores files with equal names separately', async () => {
      const [first, second] = [await upload('same.txt', Buffer.from('1')), await upload('same.txt', Buffer.from('2'))]
      expect(first.url).not.toBe(second.url)
      expect(Buffer.from((await store.blobs.read(first.url, { maxBytes })) ?? []).toString()).toBe('1')
    })

    it('joins an upload in parts in the order of the parts', async () => {
      const file = buildPath('long.wav')
      const options = { access: 'public' as const, token: await requestToken(file) }
      const { uploadId, key } = await createMultipartUpload(file, options)
      const bodies = [randomBytes(300_000), randomBytes(200_000), randomBytes(10)]
      const parts = await Promise.all(
        bodies.map((body, index) => uploadPart(file, body, { ...options, uploadId, key, partNumber: index + 1 })),
      )
      const blob = await completeMultipartUpload(file, parts, { ...options, uploadId, key })
      expect(store.blobs.findOwner(blob.url)).toBe(accountId)
      const read = Buffer.from((await store.blobs.read(blob.url, { maxBytes })) ?? [])
      expect(read.equals(Buffer.concat(bodies))).toBe(true)
    })

    it('throws when a file exceeds the requested maximum', async () => {
      const { url } = await upload('big.bin', Buffer.alloc(2000))
      await expect(store.blobs.read(url, { maxBytes: 1999 })).rejects.toThrow('1999')
    })

    it('deletes a file and ignores an absent file', async () => {
      const { url } = await upload('short.txt', Buffer.from('x'))
      await store.blobs.remove(url)
      await store.blobs.remove(url)
      expect(await store.blobs.read(url, { maxBytes })).toBeUndefined()
    })

    it('deletes only files that are older than the given time', async () => {
      const { url } = await upload('forgotten.txt', Buffer.from('x'))
      await store.blobs.sweep(new Date(Date.now() - 60_000))
      expect(await store.blobs.read(url, { maxBytes })).toBeDefined()
      expect(await store.blobs.sweep(new Date(Date.now() + 60_000))).toBeGreaterThan(0)
      expect(await store.blobs.read(url, { maxBytes })).toBeUndefined()
    })

    it('recognizes only the URLs of its files', async () => {
      const { url } = await upload('own.txt', Buffer.from('x'))
      for (const foreign of [
        'http://169.254.169.254/latest/meta-data',
        `https://elsewhere.example/${buildPath('own.txt')}`,
        url.replace(accountId, '..'),
        url.replace(/^(https?:\/\/)/, '$1user@'),
        `${url}?download=1`,
        `${url}#x`,
        url.replace(`accounts/${accountId}`, 'accounts%2F..%2F'),
        'not an address',
        '',
      ])
        expect([foreign, store.blobs.findOwner(foreign)]).toEqual([foreign, undefined])
    })

    it('rejects a token of another store, a token for another path and an altered token', async () => {
      const token = await requestToken(buildPath('mine.txt'))
      const attempts = [
        put(buildPath('other.txt'), 'x', { access: 'public', token }),
        put(buildPath('mine.txt'), 'x', { access: 'public', token: `${token.slice(0, -8)}AAAAAAA=` }),
        put(buildPath('mine.txt'), 'x', { access: 'public', token: 'vercel_blob_client_own_AAAA' }),
      ]
      for (const attempt of attempts) await expect(attempt).rejects.toThrow('Vercel Blob')
    })
  })
}
