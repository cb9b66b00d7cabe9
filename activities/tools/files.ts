import { BytesLost, readText, writeText, type TextFile } from '../../domain/tools/text-files.ts'
import type { ReadInput, WriteInput } from '../../domain/tools/tools.ts'
import { SandboxFileError, type Sandbox } from '../../providers/sandbox/index.ts'
import { cutLines } from './cut.ts'
import type { ToolContext } from './context.ts'

const fileBytes = 20 * 1024 * 1024

type Lines = Omit<TextFile, 'text'> & { chosen: string[]; totalLines: number }

/** More than a line of a reasonable file has, and more than the model sees. */
const maxLineBytes = 2 * 1024 * 1024
const largeFileMs = 60_000

export function read(sandbox: Sandbox, input: ReadInput, { signal }: ToolContext): Promise<object> {
  return orFailure(async () => {
    const { chosen, totalLines, ...marks } = await readLines(sandbox, input, signal)
    const { kept, isCut } = cutLines(chosen.map((line, at) => `${input.offset + at}: ${line}`))
    return {
      success: true,
      path: shown(sandbox, input.filePath),
      totalLines,
      startLine: input.offset,
      endLine: input.offset + kept.length - 1,
      content: kept.join('\n'),
      ...(isCut && { truncated: true }),
      ...marks,
    }
  })
}

export function write(sandbox: Sandbox, { filePath, content }: WriteInput, { signal }: ToolContext): Promise<object> {
  return orFailure(async () => {
    const old = await readOld(sandbox, filePath, signal)
    const bytes = old === undefined ? Buffer.from(content) : writeText(content, old)
    await sandbox.writeFiles([{ path: filePath, content: bytes }], { signal })
    return { success: true, path: shown(sandbox, filePath), bytesWritten: bytes.length }
  })
}

/** An error of the path becomes an output for the model. An error of the sandbox is thrown. */
async function orFailure(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SandboxFileError) return { success: false, error: error.message }
    if (error instanceof BytesLost) return { success: false, error: bytesLost }
    throw error
  }
}

const bytesLost =
  'The file holds bytes that are not UTF-8 and are shown as U+FFFD. A changed line with that character would lose them: ' +
  'change the line with bash, for example sed, or leave it as it was read'

/** Reads the file that a write replaces; undefined when there is none that the tool could read completely. */
async function readOld(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    return await sandbox.readFile(path, { maxBytes: fileBytes, signal })
  } catch (error) {
    if (error instanceof SandboxFileError) return undefined
    throw error
  }
}

async function readLines(sandbox: Sandbox, input: ReadInput, signal: AbortSignal): Promise<Lines> {
  try {
    const bytes = await sandbox.readFile(input.filePath, { maxBytes: fileBytes, signal })
    const { text, ...marks } = readText(bytes)
    const lines = splitLines(text)
    const chosen = lines.slice(input.offset - 1, input.offset - 1 + input.limit)
    return { chosen, totalLines: lines.length, ...marks }
  } catch (error) {
    if (error instanceof SandboxFileError && error.isTooLarge) return readLargeFile(sandbox, input, signal)
    throw error
  }
}

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * Reads lines of a file that is too large to read completely. The sandbox selects them; `lossy` and `binary` describe
 * only these lines.
 */
async function readLargeFile(sandbox: Sandbox, input: ReadInput, signal: AbortSignal): Promise<Lines> {
  const { filePath, offset, limit } = input
  const run = async (command: string): Promise<string> => {
    const env = { FILE: filePath }
    const result = await sandbox.exec(command, { env, timeoutMs: largeFileMs, maxOutputBytes: maxLineBytes, signal })
    if (result.exitCode !== 0 && !result.truncated) throw new SandboxFileError('File is too large')
    return result.output
  }
  const text = await run(`sed -n '${offset},${offset + limit - 1}p' < "$FILE"`)
  const totalLines = Number.parseInt(await run(`sed -n '$=' < "$FILE"`), 10)
  return {
    chosen: splitLines(text),
    totalLines,
    ...(text.includes('\ufffd') && { lossy: true }),
    ...(text.includes('\0') && { binary: true }),
  }
}

/** Path relative to the working directory, as in every output. */
function shown(sandbox: Sandbox, path: string): string {
  const root = `${sandbox.workingDirectory}/`
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(\.\/)+/, '')
}
