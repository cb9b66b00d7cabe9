import { SandboxError } from '../index.ts'
import type { Machine } from './machine.ts'
import { placeScript } from './scripts.ts'

const pieceBytes = 16 * 1024 * 1024
const placeTimeoutMs = 60_000

/** Writes content of any length to a file of a machine, with at most one chunk in memory. */
export async function uploadPieces(
  machine: Machine,
  path: string,
  content: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  let index = 0
  for await (const piece of inPieces(content)) {
    const part = `${path}.part`
    await machine.upload(part, piece, signal)
    const args = [part, path, String(index)]
    const status = await machine.run({ script: placeScript, args, timeoutMs: placeTimeoutMs, signal })
    if (status.trim() !== '0') throw new SandboxError('failed to write a file')
    index += piece.length
  }
}

/** Splits content into chunks of one size, except the last. */
async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    gathered.push(chunk)
    size += chunk.length
    if (size < pieceBytes) continue
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  yield Buffer.concat(gathered)
}
