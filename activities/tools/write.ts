import { z } from 'zod'
import { writeText } from '../../domain/tools/text-files.ts'
import { SandboxFileError, type Sandbox } from '../../providers/sandbox/index.ts'
import { defineTool } from './define.ts'
import { maxFileBytes, filePath, showFile, withInputErrors } from './output/files.ts'

export const write = defineTool({
  name: 'write',
  description: 'Writes a file. Creates parent folders and replaces an existing file.',
  input: z.object({ filePath, content: z.string().describe('The complete new content') }),
  offeredTo: () => true,
  runsIn: 'sandbox',
  mayRepeat: true,
  changesFiles: true,
  run: ({ filePath, content }, { signal }, sandbox) =>
    withInputErrors(async () => {
      const previous = await readPrevious(sandbox, filePath, signal)
      const bytes = previous === undefined ? Buffer.from(content) : writeText(content, previous)
      await sandbox.writeFiles([{ path: filePath, content: bytes }], { signal })
      return { success: true, path: showFile(sandbox, filePath), bytesWritten: bytes.length }
    }),
})

/** Returns the file that a write replaces; undefined if there is none or it is too large to read completely. */
async function readPrevious(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    return await sandbox.readFile(path, { maxBytes: maxFileBytes, signal })
  } catch (error) {
    if (error instanceof SandboxFileError) return undefined
    throw error
  }
}
