import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { StorePort } from '../../providers/store/index.ts'
import { eventually } from '../world/world.ts'

/**
 * A store with its backing server or folder. `read` fetches a URL with a plain HTTP client, without credentials.
 */
export type StoreBench = {
  store: StorePort
  read: (url: string) => Promise<{ status: number; body: Buffer; headers: Record<string, unknown> }>
  /** Number of parts of large files that have arrived; absent for a store without parts. */
  partsSent?: () => number
  /** Size of a file that exceeds the limit of one request. */
  largeBytes: number
  close(): Promise<void>
}

const pieces = async function* (bytes: Buffer, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const cutOff = async function* (): AsyncGenerator<Uint8Array> {
  yield randomBytes(1000)
  throw new Error('cut off')
}
const audio = { contentType: 'audio/mpeg', overwrite: true }

/** Declares the tests that every media store passes. */
export function describeStore(name: string, open: () => Promise<StoreBench>, { sendsParts = true } = {}): void {
  describe(`the media store in ${name}`, () => {
    let bench: StoreBench
    beforeAll(async () => (bench = await open()))
    afterAll(() => bench.close())

    const readBytes = async (key: string): Promise<Buffer | undefined> => {
      const object = await bench.store.open(key)
      return object && buffer(object.content)
    }

    it('stores a stream under a key and returns its public URL', async () => {
      const content = randomBytes(200_000)
      const { url, bytes } = await bench.store.put('music/one.mp3', pieces(content), audio)
      expect(bytes).toBe(200_000)
      const read = await bench.read(url)
      expect(read.body.equals(content)).toBe(true)
      expect(read.headers['content-type']).toBe('audio/mpeg')
      expect(bench.store.parseKey(url)).toBe('music/one.mp3')
      expect((await bench.read(await bench.store.publicUrl('music/one.mp3'))).status).toBe(200)
    })

    it('stores a file that is larger than one request and serves a range of it', async () => {
      const content = randomBytes(bench.largeBytes)
      expect(
        await bench.store.put('music/large.wav', pieces(content), { ...audio, contentType: 'audio/wav' }),
      ).toMatchObject({
        bytes: bench.largeBytes,
      })
      const part = await bench.store.open('music/large.wav', { first: 1000, last: 1999 })
      expect(part).toMatchObject({
        size: bench.largeBytes,
        contentType: 'audio/wav',
        etag: expect.stringMatching(/^".+"$/),
      })
      expect(part && (await buffer(part.content)).equals(content.subarray(1000, 2000))).toBe(true)
      const wholeFile = await readBytes('music/large.wav')
      expect(wholeFile?.equals(content)).toBe(true)
    })

    if (sendsParts)
      it('sends the first bytes before it receives the last bytes', async () => {
        const { partsSent = () => 0 } = bench
        const before = partsSent()
        const paused = async function* (): AsyncGenerator<Uint8Array> {
          yield* pieces(randomBytes(bench.largeBytes))
          await eventually('a sent part', () => Promise.resolve(partsSent() > before || undefined))
          yield Buffer.from('the end')
        }
        const { bytes } = await bench.store.put('music/paced.wav', paused(), audio)
        expect(bytes).toBe(bench.largeBytes + 7)
      })

    it('replaces an object only if overwriting is allowed', async () => {
      await bench.store.put('music/two.mp3', pieces(Buffer.from('first')), { ...audio, overwrite: false })
      const secondPut = bench.store.put('music/two.mp3', pieces(Buffer.from('second')), { ...audio, overwrite: false })
      expect(await secondPut.catch(readErrorKind)).toBe('declined')
      expect(String(await readBytes('music/two.mp3'))).toBe('first')
      await bench.store.put('music/two.mp3', pieces(Buffer.from('third')), audio)
      expect(String(await readBytes('music/two.mp3'))).toBe('third')
    })

    it('stores nothing of an upload that is too large or fails', async () => {
      const large = bench.store.put('music/three.mp3', pieces(randomBytes(70_000)), { ...audio, maxBytes: 69_999 })
      expect(await large.catch(readErrorKind)).toBe('invalid')
      await expect(bench.store.put('music/three.mp3', cutOff(), audio)).rejects.toThrow('cut off')
      expect(await bench.store.open('music/three.mp3')).toBeUndefined()
    })

    it('stores nothing of an upload that is aborted before or immediately after its start', async () => {
      const abortedSignal = AbortSignal.abort(new Error('aborted'))
      await expect(
        bench.store.put('music/five.mp3', pieces(randomBytes(1000)), { ...audio, signal: abortedSignal }),
      ).rejects.toThrow()
      const ending = new AbortController()
      const put = bench.store.put('music/five.mp3', pieces(randomBytes(bench.largeBytes)), {
        ...audio,
        signal: ending.signal,
      })
      ending.abort(new Error('aborted'))
      await expect(put).rejects.toThrow()
      expect(await bench.store.open('music/five.mp3')).toBeUndefined()
    })

    it('deletes an object, and accepts the deletion of an absent object', async () => {
      const { url } = await bench.store.put('music/four.mp3', pieces(Buffer.from('x')), audio)
      await bench.store.delete('music/four.mp3')
      await bench.store.delete('music/four.mp3')
      expect(await bench.store.open('music/four.mp3')).toBeUndefined()
      expect((await bench.read(url)).status).toBe(404)
    })

    it('accepts only its keys and URLs', async () => {
      const ownUrl = await bench.store.publicUrl('music/own.mp3')
      for (const foreign of [
        'http://169.254.169.254/a/b.mp3',
        ownUrl.replace('own', '..%2fown'),
        ownUrl.replace('music/', ''),
        '',
      ])
        expect([foreign, bench.store.parseKey(foreign)]).toEqual([foreign, undefined])
      for (const key of ['../music/own.mp3', 'music/own', '/music/own.mp3', 'music/../own.mp3', 'a/b/c.mp3'])
        await expect(Promise.resolve().then(() => bench.store.publicUrl(key))).rejects.toThrow('not a key')
    })
  })
}

function readErrorKind(error: unknown): unknown {
  return error instanceof ProviderError ? error.kind : error
}
