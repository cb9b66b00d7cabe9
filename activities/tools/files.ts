import type { ReadInput, WriteInput } from '../../domain/tools/tools.ts'
import { SandboxFileError, type Sandbox } from '../../providers/sandbox/index.ts'
import { cutLines } from './cut.ts'
import type { ToolContext } from './context.ts'

const fileBytes = 20 * 1024 * 1024

type Lines = { asked: string[]; totalLines: number }

/** More than lines of a reasonable file have, and more than the model is shown. */
const maxLineBytes = 2 * 1024 * 1024
const largeFileMs = 60_000

export function read(sandbox: Sandbox, input: ReadInput, { signal }: ToolContext): Promise<object> {
  return orFailure(async () => {
    const { asked, totalLines } = await readLines(sandbox, input, signal)
    const { kept, isCut } = cutLines(asked.map((line, at) => `${input.offset + at}: ${line}`))
    return {
      success: true,
      path: shown(sandbox, input.filePath),
      totalLines,
      startLine: input.offset,
      endLine: input.offset + kept.length - 1,
      content: kept.join('\n'),
      ...(isCut && { truncated: true }),
    }
  })
}

export function write(sandbox: Sandbox, { filePath, content }: WriteInput, { signal }: ToolContext): Promise<object> {
  return orFailure(async () => {
    await sandbox.writeFiles([{ path: filePath, content }], { signal })
    return { success: true, path: shown(sandbox, filePath), bytesWritten: Buffer.byteLength(content) }
  })
}

/** A fault of the path is an answer for the model; a fault of the sandbox is not. */
async function orFailure(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SandboxFileError) return { success: false, error: error.message }
    throw error
  }
}

async function readLines(sandbox: Sandbox, input: ReadInput, signal: AbortSignal): Promise<Lines> {
  try {
    const bytes = await sandbox.readFile(input.filePath, { maxBytes: fileBytes, signal })
    const lines = linesOf(new TextDecoder().decode(bytes))
    return { asked: lines.slice(input.offset - 1, input.offset - 1 + input.limit), totalLines: lines.length }
  } catch (error) {
    if (error instanceof SandboxFileError && error.isTooLarge) return readLargeFile(sandbox, input, signal)
    throw error
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Of a file that is too large to be read whole: the sandbox itself picks the lines. */
async function readLargeFile(sandbox: Sandbox, input: ReadInput, signal: AbortSignal): Promise<Lines> {
  const { filePath, offset, limit } = input
  const run = async (command: string): Promise<string> => {
    const env = { FILE: filePath }
    const result = await sandbox.exec(command, { env, timeoutMs: largeFileMs, maxOutputBytes: maxLineBytes, signal })
    if (result.exitCode !== 0 && !result.truncated) throw new SandboxFileError('File is too large')
    return result.output
  }
  const asked = linesOf(await run(`sed -n '${offset},${offset + limit - 1}p' < "$FILE"`))
  const totalLines = Number.parseInt(await run(`sed -n '$=' < "$FILE"`), 10)
  return { asked, totalLines }
}

/** Relative to the working directory, as every path in an output. */
function shown(sandbox: Sandbox, path: string): string {
  const root = `${sandbox.workingDirectory}/`
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(\.\/)+/, '')
}
