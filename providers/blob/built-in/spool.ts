import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable, type Readable } from 'node:stream'
import { BlobTooLargeError } from '../index.ts'

export class BlobIncompleteError extends Error {
  override readonly name = 'BlobIncompleteError'
}

/** Complete upload on the disk of this machine. */
export type SpooledFile = { path: string; size: number; sha256: string }

/** Manages the folder for incomplete uploads. */
export function createSpool(folder: string) {
  return {
    /** Runs `use` on the spooled file and deletes the file afterwards, unless `use` has moved it away. */
    receive: async <T>(source: Readable, maxBytes: number, use: (file: SpooledFile) => Promise<T>): Promise<T> => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, randomBytes(16).toString('hex'))
      try {
        const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
        return await use({ path, ...(await drain(source, maxBytes, file)) })
      } finally {
        await rm(path, { force: true })
      }
    },
    /** Computes size and hash of a stream without storing it. */
    digest: (source: Readable, maxBytes: number): Promise<Omit<SpooledFile, 'path'>> =>
      drain(source, maxBytes, createNullStream()),
    /** Deletes files of killed processes that are older than this time. */
    sweep: async (before: Date): Promise<void> => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const name of await readdir(folder)) {
        const stats = await stat(join(folder, name)).catch(() => undefined)
        if (stats !== undefined && stats.mtime < before) await rm(join(folder, name), { force: true })
      }
    },
  }
}
export type Spool = ReturnType<typeof createSpool>

/**
 * Writes a stream to `file` with backpressure. Bytes above the limit are read and discarded, so that the sender receives the
 * response. A stream that ends early is an error.
 */
function drain(source: Readable, maxBytes: number, file: Writable): Promise<Omit<SpooledFile, 'path'>> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256')
    let size = 0
    let failed = false
    const fail = (error: Error): void => {
      if (failed) return
      failed = true
      source.removeListener('data', writeChunk)
      source.resume()
      file.destroy()
      file.once('close', () => reject(error))
    }
    const writeChunk = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) return fail(new BlobTooLargeError('the upload is too large'))
      hash.update(chunk)
      if (!file.write(chunk)) source.pause()
    }
    source.on('data', writeChunk)
    source.once('end', () => file.end())
    const failIfIncomplete = (): void => {
      if (!source.readableEnded) fail(new BlobIncompleteError('the upload ended early'))
    }
    source.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? failIfIncomplete() : fail(error),
    )
    source.once('close', failIfIncomplete)
    // The connection was cut before the reader attached.
    if (source.destroyed) failIfIncomplete()
    file.on('drain', () => source.resume())
    file.once('error', fail)
    file.once('finish', () => resolve({ size, sha256: hash.digest('hex') }))
  })
}

function createNullStream(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
