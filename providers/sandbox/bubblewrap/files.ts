import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run, type Host } from './run.ts'
import { scriptProgram } from './program.ts'
import { fileError } from '../local/file-error.ts'
import { checkFileExit, readScript, streamScript, writeScript } from '../local/file-scripts.ts'
import type { Folder } from '../local/folder.ts'
import type { Sandbox } from '../index.ts'
import { toBytes } from '../text.ts'

export const fileTimeoutMs = 30_000
const filesPerWrite = 100

export const readFile: (
  host: Host,
  folder: Folder,
  ...args: Parameters<Sandbox['readFile']>
) => Promise<Uint8Array> = async (host, folder, path, { maxBytes, signal }) => {
  const read = await run(host, folder, scriptProgram(readScript, [path, String(maxBytes)]), {
    timeoutMs: fileTimeoutMs,
    maxOutputBytes: maxBytes + 4096,
    signal,
  })
  if (read.truncated) throw fileError('tooLarge')
  checkFileExit(read.exitCode, read.output.toString())
  if (read.output.length > maxBytes) throw fileError('tooLarge')
  return read.output
}

const streamTimeoutMs = 10 * 60_000

/** Streams a file. The stream ends only after the program that reads the file has exited successfully. */
export async function* streamFile(
  host: Host,
  folder: Folder,
  ...[path, { maxBytes, signal }]: Parameters<Sandbox['streamFile']>
): AsyncGenerator<Uint8Array> {
  const content = new PassThrough()
  const read = async (): Promise<void> => {
    const { exitCode, complaint } = await run(host, folder, scriptProgram(streamScript, [path, String(maxBytes)]), {
      timeoutMs: streamTimeoutMs,
      maxOutputBytes: 0,
      signal,
      takeOutput: (output) => pipeline(output, content, { end: false }),
    })
    checkFileExit(exitCode, complaint)
    content.end()
  }
  read().catch((error: unknown) => content.destroy(error as Error))
  let size = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw fileError('tooLarge')
    yield chunk
  }
}

export async function writeFiles(
  host: Host,
  folder: Folder,
  files: Parameters<Sandbox['writeFiles']>[0],
  signal?: AbortSignal,
): Promise<void> {
  for (let first = 0; first < files.length; first += filesPerWrite) {
    const batch = files.slice(first, first + filesPerWrite).map(({ path, content }) => ({
      path,
      bytes: toBytes(content),
    }))
    const args = batch.flatMap(({ path, bytes }) => [path, String(bytes.length)])
    const result = await run(host, folder, scriptProgram(writeScript, args), {
      stdin: Buffer.concat(batch.map(({ bytes }) => bytes)),
      timeoutMs: fileTimeoutMs,
      maxOutputBytes: 4096,
      signal,
    })
    checkFileExit(result.exitCode, result.output.toString())
  }
}
