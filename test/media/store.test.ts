import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Agent, request, type Dispatcher } from 'undici'
import { expect, it } from 'vitest'
import { createFolderStore } from '../../providers/store/folder.ts'
import { createS3Store } from '../../providers/store/s3.ts'
import { createVercelStore } from '../../providers/store/vercel.ts'
import { mediaRoutes } from '../../api/media/index.ts'
import { startS3 } from '../providers/vendors/s3.ts'
import { startVercelBlob } from '../providers/vendors/vercel/vercel-blob.ts'
import { createWorld } from '../world/world.ts'
import { describeStore, type StoreBench } from './store-contract.ts'

const mebibyte = 1024 * 1024

function createReader(dispatcher?: Dispatcher): StoreBench['read'] {
  return async (url) => {
    const { statusCode, headers, body } = await request(url, { ...(dispatcher !== undefined && { dispatcher }) })
    return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) }
  }
}

/** Opens a folder store together with the routes that serve it. */
async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'backline-store-'))
  const served: { store?: ReturnType<typeof createFolderStore> } = {}
  const world = await createWorld({
    worker: false,
    routes: ({ config }) => {
      served.store = createFolderStore({ folder, storeUrl: `${config.baseUrl}/media` })
      return mediaRoutes({ config, store: served.store })
    },
  })
  const store = createFolderStore({ folder, storeUrl: `${world.baseUrl}/media` })
  const close = async (): Promise<void> => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { store, world, close }
}

describeStore(
  'a folder',
  async () => {
    const { store, close } = await openFolder()
    return { store, read: createReader(), largeBytes: 3 * mebibyte, close }
  },
  { sendsParts: false },
)

function bucketOptions(url: string) {
  return {
    bucket: 'media',
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' },
  }
}

describeStore('a bucket', async () => {
  const s3 = await startS3({ bucket: 'media', accessKeyId: 'AKIATEST' })
  const store = await createS3Store(bucketOptions(s3.url))
  const partsSent = (): number => Array.from(s3.uploads.values()).reduce((sum, { parts }) => sum + parts.size, 0)
  return { store, read: createReader(), partsSent, largeBytes: 17 * mebibyte, close: () => s3.close() }
})

describeStore('Vercel Blob', async () => {
  const readWriteToken = 'vercel_blob_rw_TestStore_secret'
  const vendor = await startVercelBlob(readWriteToken)
  process.env['VERCEL_BLOB_API_URL'] = vendor.url
  process.env['VERCEL_BLOB_RETRIES'] = '0'
  // The store's URLs point to this server, without TLS.
  const dispatcher = new Agent({
    connect: (_options, callback) => {
      const socket = dial(vendor.port, '127.0.0.1')
      socket.once('connect', () => callback(null, socket))
      socket.once('error', (error) => callback(error, null))
    },
  })
  const close = async (): Promise<void> => {
    delete process.env['VERCEL_BLOB_API_URL']
    delete process.env['VERCEL_BLOB_RETRIES']
    await dispatcher.close()
    await vendor.close()
  }
  const store = createVercelStore({ readWriteToken, dispatcher })
  return { store, read: createReader(dispatcher), partsSent: vendor.partsSent, largeBytes: 17 * mebibyte, close }
})

it('a public bucket has unsigned URLs and retains no parts of a failed upload', async () => {
  const s3 = await startS3({ bucket: 'media', accessKeyId: 'AKIATEST' })
  try {
    const store = await createS3Store({ ...bucketOptions(s3.url), publicUrl: 'https://cdn.example/' })
    const cut = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(9 * mebibyte)
      throw new Error('cut off')
    }
    const options = { contentType: 'video/mp4', overwrite: true }
    await expect(store.put('content/a.mp4', cut(), options)).rejects.toThrow('cut off')
    expect(s3.requests.filter((line) => line.startsWith('DELETE'))).toHaveLength(1)
    expect(s3.uploads.size).toBe(0)
    expect(await store.publicUrl('content/a.mp4')).toBe('https://cdn.example/content/a.mp4')
  } finally {
    await s3.close()
  }
})

it('a bucket aborts unfinished uploads of a killed process, and an error names a missing bucket', async () => {
  const s3 = await startS3({ bucket: 'media', accessKeyId: 'AKIATEST' })
  try {
    const store = await createS3Store(bucketOptions(s3.url))
    for (const key of ['content/left.mp4', 'of another program'])
      s3.uploads.set(key, { key, headers: {}, parts: new Map() })
    await store.sweep(new Date('2025-01-01'))
    expect(s3.uploads.size).toBe(2)
    await store.sweep(new Date())
    expect([...s3.uploads.keys()]).toEqual(['of another program'])
    const absent = await createS3Store({ ...bucketOptions(s3.url), bucket: 'absent' })
    const content = Readable.from([Buffer.from('x')])
    const put = absent.put('content/a.mp4', content, { contentType: 'video/mp4', overwrite: true })
    await expect(put).rejects.toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining('bucket absent does not exist'),
    })
    await expect(absent.open('content/a.mp4')).rejects.toMatchObject({ kind: 'not_found' })
  } finally {
    await s3.close()
  }
})

it('a folder deletes unfinished files of a killed process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backline-store-'))
  try {
    const store = createFolderStore({ folder, storeUrl: 'http://store.example/media' })
    await mkdir(join(folder, 'incoming'))
    await writeFile(join(folder, 'incoming', 'half'), 'half a song')
    await store.sweep(new Date(Date.now() - 60_000))
    expect(await readdir(join(folder, 'incoming'))).toEqual(['half'])
    await store.sweep(new Date(Date.now() + 60_000))
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('a player can seek in a file of the folder', async () => {
  const { store, world, close } = await openFolder()
  try {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251))
    const put = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes
    }
    await store.put('music/seek.mp3', put(), { contentType: 'audio/mpeg', overwrite: true })
    const get = async (headers: Record<string, string> = {}, method = 'GET', name = 'music/seek.mp3') => {
      const response = await world.fetch(method, `/media/${name}`, { headers })
      const body = Buffer.from(await response.arrayBuffer())
      return { status: response.status, headers: Object.fromEntries(response.headers), body }
    }
    const whole = await get()
    expect(whole).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'audio/mpeg',
        'content-length': '1000',
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-disposition': 'inline; filename="seek.mp3"',
      },
    })
    expect(whole.body.equals(bytes)).toBe(true)
    const etag = String(whole.headers['etag'])

    const ranges = {
      'bytes=0-0': [0, 0],
      'bytes=900-': [900, 999],
      'bytes=-10': [990, 999],
      'bytes=10-5000': [10, 999],
    }
    for (const [range, [first = 0, last = 0]] of Object.entries(ranges)) {
      const part = await get({ range })
      expect([part.status, part.headers['content-range']]).toEqual([206, `bytes ${first}-${last}/1000`])
      expect(part.body.equals(bytes.subarray(first, last + 1))).toBe(true)
    }
    expect(await get({ range: 'bytes=1000-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */1000' },
    })
    for (const range of ['bytes=5-1', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'bytes=x-'])
      expect([range, (await get({ range })).status]).toEqual([range, 200])

    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get({ 'if-modified-since': String(whole.headers['last-modified']) })).status).toBe(304)
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
    const head = await get({}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '1000', 0])

    await store.put('music/page.html', put(), { contentType: 'text/html', overwrite: true })
    const page = await get({}, 'GET', 'music/page.html')
    expect(page.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="page.html"',
    })
    for (const name of ['music/absent.mp3', 'incoming/x', 'music/..%2Fseek.mp3', '..%2Fmusic/seek.mp3'])
      expect([name, (await get({}, 'GET', name)).status]).toEqual([name, 404])
  } finally {
    await close()
  }
})
