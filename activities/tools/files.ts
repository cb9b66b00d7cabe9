import type { ReadInput, WriteInput } from '../../domain/tools.ts'
import { SandboxFileError } from '../../providers/sandbox/index.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { cutLines } from './cut.ts'
import type { ToolContext } from './context.ts'

const fileBytes = 20 * 1024 * 1024

/** A fault of the path is an answer for the model; a fault of the sandbox is not. */
const orFailure = async (work: () => Promise<object>): Promise<object> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SandboxFileError) return { success: false, error: error.message }
    throw error
  }
}

/** Relative to the working directory, as every path in an output. */
const shown = (sandbox: Sandbox, path: string): string => {
  const root = `${sandbox.workingDirectory}/`
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(\.\/)+/, '')
}

export const read = (sandbox: Sandbox, input: ReadInput, { signal }: ToolContext): Promise<object> =>
  orFailure(async () => {
    const bytes = await sandbox.readFile(input.filePath, { maxBytes: fileBytes, signal })
    const lines = new TextDecoder().decode(bytes).split('\n')
    if (lines.at(-1) === '') lines.pop()
    const asked = lines.slice(input.offset - 1, input.offset - 1 + input.limit)
    const { kept, isCut } = cutLines(asked.map((line, at) => `${input.offset + at}: ${line}`))
    return {
      success: true,
      path: shown(sandbox, input.filePath),
      totalLines: lines.length,
      startLine: input.offset,
      endLine: input.offset + kept.length - 1,
      content: kept.join('\n'),
      ...(isCut && { truncated: true }),
    }
  })

export const write = (sandbox: Sandbox, { filePath, content }: WriteInput, { signal }: ToolContext): Promise<object> =>
  orFailure(async () => {
    await sandbox.writeFiles([{ path: filePath, content }], { signal })
    return { success: true, path: shown(sandbox, filePath), bytesWritten: Buffer.byteLength(content) }
  })
