import { createHmac, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { upload } from '@vercel/blob/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, eventually, type TestAccount, type World } from '../../world/world.ts'

const path = '/api/sandboxes/staged-file'
const failed = { error: 'Failed to issue upload token' }

let world: World
let owner: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false })
  owner = await world.makeAccount()
  process.env['VERCEL_BLOB_API_URL'] = `${world.baseUrl}/blob`
  process.env['VERCEL_BLOB_RETRIES'] = '0'
})
afterAll(async () => {
  delete process.env['VERCEL_BLOB_API_URL']
  delete process.env['VERCEL_BLOB_RETRIES']
  await world.close()
})

const createTokenRequest = (pathname: string) => ({
  type: 'blob.generate-client-token',
  payload: { pathname, clientPayload: null, multipart: false },
})
const sendRequest = (body: unknown, headers?: Record<string, string>, key: string | undefined = owner.key) =>
  world.request<{ type: string; clientToken: string }>('POST', path, { key, body, headers })
const requestToken = async (pathname: string): Promise<string> =>
  (await sendRequest(createTokenRequest(pathname))).body.clientToken

const parsePayload = (token: string): Record<string, unknown> => {
  const inner =
    Buffer.from(token.split('_')[4] ?? '', 'base64')
      .toString()
      .split('.')[1] ?? ''
  return JSON.parse(Buffer.from(inner, 'base64').toString()) as Record<string, unknown>
}

const listStored = async (): Promise<string[]> => {
  const entries = await readdir(`${world.config.DATA_DIR}/blobs`, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

const send = (token: string, body: string | Buffer, pathname = 'a.txt', headers: Record<string, string> = {}) =>
  fetch(`${world.baseUrl}/blob/?pathname=${encodeURIComponent(pathname)}`, {
    method: 'PUT',
    body,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

describe('POST /api/sandboxes/staged-file', () => {
  it('returns a client token that is valid for one unique path of the account, 100 MiB and one hour', async () => {
    const response = await sendRequest({ ...createTokenRequest('mix.wav'), callbackUrl: 'https://evil.example/' })
    expect(response.status).toBe(200)
    expect(Object.keys(response.body).sort()).toEqual(['clientToken', 'type'])
    const { validUntil, ...payload } = parsePayload(response.body.clientToken)
    expect(payload).toEqual({
      pathname: `accounts/${owner.id}/mix.wav`,
      maximumSizeInBytes: 104_857_600,
      addRandomSuffix: true,
      allowOverwrite: false,
      tokenPayload: expect.stringMatching(/^[0-9a-f-]{36}$/),
      onUploadCompleted: { callbackUrl: `${world.config.baseUrl}${path}`, tokenPayload: payload['tokenPayload'] },
    })
    expect(parsePayload(await requestToken('mix.wav'))['tokenPayload']).not.toBe(payload['tokenPayload'])
    expect(Number(validUntil)).toBeGreaterThan(Date.now() + 3_500_000)
    expect(Number(validUntil)).toBeLessThanOrEqual(Date.now() + 3_600_000)
  })

  it('rejects a request with missing or wrong credentials', async () => {
    const none = await world.request('POST', path, { body: createTokenRequest('a') })
    expect([none.status, none.body]).toEqual([401, { error: 'Send exactly one of x-api-key and Authorization' }])
    const signed = await world.request('POST', path, {
      body: createTokenRequest('a'),
      headers: { 'x-vercel-signature': 'aa' },
    })
    expect([signed.status, signed.body]).toEqual([401, { error: 'Unauthorized' }])
  })

  it.each([
    ['invalid JSON', '{"type":'],
    ['an unknown type', { type: 'other', payload: {} }],
    ['a missing payload', { type: 'blob.generate-client-token' }],
    ['a path that leaves the account', createTokenRequest('../other/x')],
    ['an empty path', createTokenRequest('')],
    ['a control character', createTokenRequest('a\u0001')],
    ['a NUL', createTokenRequest('a\u0000')],
  ])('returns 500 with a fixed message for %s', async (_, body) => {
    const response = await sendRequest(body)
    expect([response.status, response.body]).toEqual([500, failed])
  })

  it('accepts the signed callback of the store, which has no credentials', async () => {
    const body = JSON.stringify({ type: 'blob.upload-completed', payload: { blob: { url: 'x' }, tokenPayload: null } })
    const sign = (key: string): string => createHmac('sha256', key).update(body).digest('hex')
    const sendCallback = (signature: string) =>
      world.request('POST', path, { body, headers: { 'x-vercel-signature': signature } })
    const response = await sendCallback(sign(world.deps.blobs.readWriteToken))
    expect([response.status, response.body]).toEqual([200, { type: 'blob.upload-completed', response: 'ok' }])
    const forged = await sendCallback(sign('another key'))
    expect([forged.status, forged.body]).toEqual([500, failed])
  })
})

const readCodes = async (pendingResponse: Promise<Response>) => {
  const response = await pendingResponse
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
}

describe('the embedded store', () => {
  it('accepts whole and multipart uploads of the client library, including its handshake', async () => {
    const options = {
      access: 'public' as const,
      handleUploadUrl: `${world.baseUrl}${path}`,
      headers: { 'x-api-key': owner.key },
    }
    const small = await upload('notes.txt', Buffer.from('words'), { ...options, contentType: 'text/plain' })
    expect(small).toEqual({
      url: `${world.config.baseUrl}/blob/${small.pathname}`,
      downloadUrl: `${small.url}?download=1`,
      pathname: expect.stringMatching(new RegExp(`^accounts/${owner.id}/notes-\\w{30}\\.txt$`)),
      contentType: 'text/plain',
      contentDisposition: expect.stringMatching(/^attachment; filename="notes-\w{30}\.txt"$/),
      etag: expect.stringMatching(/^"\w{32}"$/),
    })
    const content = randomBytes(9 * 1024 * 1024)
    const large = await upload('long.wav', content, { ...options, multipart: true })
    const read = await world.deps.blobs.read(large.url, { maxBytes: content.length })
    expect(Buffer.from(read ?? []).equals(content)).toBe(true)
  })

  it("allows the client library's headers in a browser", async () => {
    const preflight = await world.request('OPTIONS', '/blob/mpu?pathname=a.txt', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').split(', ')
    for (const header of [
      'Authorization',
      'x-api-version',
      'x-vercel-blob-access',
      'x-mpu-action',
      'x-mpu-part-number',
    ])
      expect(allowed).toContain(header)
    const otherPreflight = await world.request('OPTIONS', path, {
      headers: { 'access-control-request-method': 'POST' },
    })
    expect(otherPreflight.headers.get('access-control-allow-headers')).not.toContain('x-mpu')
  })

  it('returns 403 for a token that is missing, altered, expired or for another path', async () => {
    const token = await requestToken('a.txt')
    const expired = `vercel_blob_client_own_${Buffer.from(
      (() => {
        const payload = Buffer.from(JSON.stringify({ ...parsePayload(token), validUntil: Date.now() - 1 })).toString(
          'base64',
        )
        return `${createHmac('sha256', world.deps.blobs.readWriteToken).update(payload).digest('hex')}.${payload}`
      })(),
    ).toString('base64')}`
    expect(await readCodes(send('', 'x'))).toEqual([403, 'forbidden'])
    expect(await readCodes(send(token.replace(/_own_./, '_own_A'), 'x'))).toEqual([403, 'forbidden'])
    expect(await readCodes(send(token, 'x', 'b.txt'))).toEqual([403, 'client_token_pathname_mismatch'])
    expect(await readCodes(send(expired, 'x'))).toEqual([403, 'client_token_expired'])
    expect(await readCodes(send(owner.key, 'x'))).toEqual([403, 'forbidden'])
  })

  it('returns 413 for more than 100 MiB, declared or not, and stores nothing', async () => {
    const before = await listStored()
    const token = await requestToken('a.txt')
    const big = Buffer.alloc(104_857_601)
    expect((await send(token, big)).status).toBe(413)
    const stream = new ReadableStream({
      start: (controller) => {
        for (let at = 0; at < 101; at++) controller.enqueue(big.subarray(0, 1024 * 1024))
        controller.close()
      },
    })
    const response = await fetch(`${world.baseUrl}/blob/?pathname=a.txt`, {
      method: 'PUT',
      body: stream,
      duplex: 'half',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(413)
    expect(await listStored()).toEqual(before)
  })

  it('stores nothing of an interrupted upload', async () => {
    const before = await listStored()
    const token = await requestToken('a.txt')
    const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1')
    socket.write(
      `PUT /blob/?pathname=a.txt HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 500000\r\n\r\n`,
    )
    socket.write(Buffer.alloc(200_000))
    await eventually('a part of the upload on the disk', async () =>
      (await listStored()).length > before.length ? true : undefined,
    )
    socket.destroy()
    await eventually('the removal of the partial upload', async () =>
      (await listStored()).length === before.length ? true : undefined,
    )
  })

  it('rejects parts of an unknown upload, parts with too many bytes in total, and an invalid list of parts', async () => {
    const token = await requestToken('parts.bin')
    const sendPartRequest = (headers: Record<string, string>, body: string | Buffer = 'x') =>
      fetch(`${world.baseUrl}/blob/mpu?pathname=parts.bin`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    const created = (await (await sendPartRequest({ 'x-mpu-action': 'create' })).json()) as {
      uploadId: string
      key: string
    }
    const ids = { 'x-mpu-upload-id': created.uploadId, 'x-mpu-key': encodeURIComponent(created.key) }
    const sendPart = (number: string, body: string | Buffer, uploadHeaders = ids) =>
      sendPartRequest({ ...uploadHeaders, 'x-mpu-action': 'upload', 'x-mpu-part-number': number }, body)
    const complete = (parts: unknown) => sendPartRequest({ ...ids, 'x-mpu-action': 'complete' }, JSON.stringify(parts))
    expect(
      (await sendPart('1', 'x', { ...ids, 'x-mpu-upload-id': `${'a'.repeat(32)}-${'b'.repeat(32)}` })).status,
    ).toBe(404)
    expect((await sendPart('0', 'x')).status).toBe(400)
    expect((await sendPartRequest({ 'x-mpu-action': 'other' })).status).toBe(400)
    expect((await sendPart('1', Buffer.alloc(60 * 1024 * 1024))).status).toBe(200)
    expect((await sendPart('2', Buffer.alloc(60 * 1024 * 1024))).status).toBe(413)
    expect((await complete([{ partNumber: 1, etag: '"other"' }])).status).toBe(400)
    expect((await complete([{ partNumber: 2, etag: '"x"' }])).status).toBe(400)
    expect((await complete('parts')).status).toBe(400)
  })
})
