import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createS3Objects } from '../../providers/blob/built-in/s3-objects.ts'
import { openS3 } from '../../providers/blob/s3-client.ts'
import { createS3Store } from '../../providers/store/s3.ts'
import { installPythonPackages } from './installed.ts'
import { startPeer } from './start-peer.ts'

const mebibyte = 1024 * 1024
const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }

let moto: Awaited<ReturnType<typeof startPeer>> | undefined
beforeAll(async () => {
  const folder = await installPythonPackages('moto-5.2.5', ['moto[s3,server]==5.2.5'])
  if (folder === undefined) return
  moto = await startPeer((port) => ({
    file: 'python3',
    args: ['-m', 'moto.server', '-p', String(port)],
    env: { PYTHONPATH: folder },
  }))
})
afterAll(() => moto?.close())
beforeEach(({ skip }) => {
  if (moto === undefined) skip('moto cannot be installed')
})

const buildOptions = (bucket: string) => ({ bucket, region: 'us-east-1', endpoint: moto?.url, credentials })

/** Creates a bucket and returns it with a function that lists its open multipart uploads. */
const makeBucket = async (bucket: string) => {
  const { client, sdk } = await openS3(buildOptions(bucket))
  await client.send(new sdk.CreateBucketCommand({ Bucket: bucket }))
  const begin = (Key: string) => client.send(new sdk.CreateMultipartUploadCommand({ Bucket: bucket, Key }))
  const listOpen = async () =>
    (await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.map(({ Key }) => Key) ?? []
  return { begin, listOpen }
}

const pieces = async function* (mebibytes: number, onEnd?: () => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < mebibytes; at++) yield Buffer.alloc(mebibyte, at)
  onEnd?.()
}

test('the media store stores, reads by byte range, lists and replaces files, uploaded whole or in parts', async () => {
  await makeBucket('media')
  const store = await createS3Store(buildOptions('media'))
  const put = (key: string, mebibytes: number) =>
    store.put(key, pieces(mebibytes), { contentType: 'audio/mpeg', overwrite: false })
  for (const [key, mebibytes] of [
    ['music/small.mp3', 1],
    ['music/large.mp3', 17],
  ] as const) {
    const { url, bytes } = await put(key, mebibytes)
    expect(bytes).toBe(mebibytes * mebibyte)
    const read = await fetch(url)
    expect([read.status, read.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
    expect((await read.arrayBuffer()).byteLength).toBe(bytes)
    await expect(put(key, mebibytes)).rejects.toMatchObject({ kind: 'declined' })
    const part = await store.open(key, { first: mebibyte - 2, last: mebibyte - 1 })
    expect(part).toMatchObject({ size: bytes, contentType: 'audio/mpeg' })
    expect(part && (await buffer(part.content))).toEqual(Buffer.from([0, 0]))
  }
  const listedKeys: string[] = []
  for await (const { name } of (await createS3Objects(buildOptions('media'))).list('music')) listedKeys.push(name)
  expect(listedKeys.toSorted()).toEqual(['music/large.mp3', 'music/small.mp3'])
  await store.delete('music/small.mp3')
  expect(await store.open('music/small.mp3')).toBeUndefined()
})

test('neither an aborted upload nor a dead process leaves an unfinished multipart upload', async () => {
  const { begin, listOpen } = await makeBucket('aborted')
  const store = await createS3Store(buildOptions('aborted'))
  const aborted = new AbortController()
  const options = { contentType: 'video/mp4', overwrite: true, signal: aborted.signal }
  await expect(
    store.put(
      'content/a.mp4',
      pieces(17, () => aborted.abort()),
      options,
    ),
  ).rejects.toThrow()
  expect(await listOpen()).toEqual([])
  // This server dates every upload 2010-11-10.
  await begin('content/left.mp4')
  await store.sweep(new Date('2010-11-09'))
  expect(await listOpen()).toEqual(['content/left.mp4'])
  await store.sweep(new Date('2010-11-12'))
  expect(await listOpen()).toEqual([])
})

test('a bucket that does not exist is a configuration error', async () => {
  const store = await createS3Store(buildOptions('absent'))
  const options = { contentType: 'audio/mpeg', overwrite: true }
  for (const mebibytes of [1, 9])
    await expect(store.put('music/a.mp3', pieces(mebibytes), options)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(store.open('music/a.mp3')).rejects.toMatchObject({ kind: 'not_found' })
})
