import { z } from 'zod'
import { readText, type TextFile } from '../../domain/tools/text-files.ts'
import { SandboxFileError, type Sandbox } from '../../providers/sandbox/index.ts'
import { defineTool } from './define.ts'
import { cutLines } from './output/cut.ts'
import { maxFileBytes, filePath, showFile, withInputErrors } from './output/files.ts'

/** Maximum output of a command that reads lines, which exceeds the size limit of the tool's output. */
const maxReadBytes = 2 * 1024 * 1024
const largeFileTimeoutMs = 60_000

const input = z.object({
  filePath,
  offset: z.int().min(1).default(1).describe('First line, from 1'),
  limit: z.int().min(1).max(100_000).default(2000).describe('Number of lines'),
})

type Input = z.output<typeof input>
type Lines = Omit<TextFile, 'text'> & { selectedLines: string[]; totalLines: number }

export const read = defineTool({
  name: 'read',
  description: 'Reads lines of a text file. Lines are numbered from 1.',
  input,
  offeredTo: () => true,
  runsIn: 'sandbox',
  mayRepeat: true,
  run: (input, { signal }, sandbox) =>
    withInputErrors(async () => {
      const { selectedLines, totalLines, ...flags } = await readLines(sandbox, input, signal)
      const { lines, isCut } = cutLines(selectedLines.map((line, index) => `${input.offset + index}: ${line}`))
      return {
        success: true,
        path: showFile(sandbox, input.filePath),
        totalLines,
        startLine: input.offset,
        endLine: input.offset + lines.length - 1,
        content: lines.join('\n'),
        ...(isCut && { truncated: true }),
        ...flags,
      }
    }),
})

async function readLines(sandbox: Sandbox, input: Input, signal: AbortSignal): Promise<Lines> {
  try {
    const bytes = await sandbox.readFile(input.filePath, { maxBytes: maxFileBytes, signal })
    const { text, ...flags } = readText(bytes)
    const lines = splitLines(text)
    const selectedLines = lines.slice(input.offset - 1, input.offset - 1 + input.limit)
    return { selectedLines, totalLines: lines.length, ...flags }
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
 * Reads lines of a file that is too large to read completely. Commands in the sandbox select them, so `lossy` and `binary`
 * describe only these lines.
 */
async function readLargeFile(sandbox: Sandbox, input: Input, signal: AbortSignal): Promise<Lines> {
  const { filePath, offset, limit } = input
  const run = async (command: string): Promise<string> => {
    const env = { FILE: filePath }
    const result = await sandbox.exec(command, {
      env,
      timeoutMs: largeFileTimeoutMs,
      maxOutputBytes: maxReadBytes,
      signal,
    })
    if (result.exitCode !== 0 && !result.truncated) throw new SandboxFileError('File is too large')
    return result.output
  }
  const text = await run(`sed -n '${offset},${offset + limit - 1}p' < "$FILE"`)
  const totalLines = Number.parseInt(await run(`sed -n '$=' < "$FILE"`), 10)
  return {
    selectedLines: splitLines(text),
    totalLines,
    ...(text.includes('\ufffd') && { lossy: true }),
    ...(text.includes('\0') && { binary: true }),
  }
}
