import { SandboxError } from '../index.ts'
import type { Machine } from './machine.ts'
import { writeChunkScript } from './scripts.ts'

const pieceBytes = 16 * 1024 * 1024
const writeTimeoutMs = 60_000

/** Writes content of any length to a file of a machine, with at most one piece in memory. */
export async function uploadPieces(
  machine: Machine,
  path: string,
  content: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  let index = 0
  for await (const piece of splitPieces(content)) {
    const part = `${path}.part`
    await machine.upload(part, piece, signal)
    const args = [part, path, String(index)]
    const status = await machine.run({ script: writeChunkScript, args, timeoutMs: writeTimeoutMs, signal })
    if (status.trim() !== '0') throw new SandboxError('failed to write a file')
    index += piece.length
  }
}

/** Splits content into pieces of at least `pieceBytes`, except the last. */
async function* splitPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    pending.push(chunk)
    size += chunk.length
    if (size < pieceBytes) continue
    yield Buffer.concat(pending)
    pending = []
    size = 0
  }
  yield Buffer.concat(pending)
}
