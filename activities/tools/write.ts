import { z } from 'zod'
import { writeText } from '../../domain/tools/text-files.ts'
import { SandboxFileError, type Sandbox } from '../../providers/sandbox/index.ts'
import { defineTool } from './define.ts'
import { fileBytes, filePath, showFile, withFailures } from './files.ts'

export const write = defineTool({
  name: 'write',
  description: 'Writes a file: makes parent folders and replaces what is there.',
  input: z.object({ filePath, content: z.string().describe('The whole new content') }),
  offeredTo: () => true,
  runsIn: 'sandbox',
  mayRepeat: true,
  run: ({ filePath, content }, { signal }, sandbox) =>
    withFailures(async () => {
      const old = await readOld(sandbox, filePath, signal)
      const bytes = old === undefined ? Buffer.from(content) : writeText(content, old)
      await sandbox.writeFiles([{ path: filePath, content: bytes }], { signal })
      return { success: true, path: showFile(sandbox, filePath), bytesWritten: bytes.length }
    }),
})

/** Reads the file that a write replaces; undefined when there is none that the tool could read completely. */
async function readOld(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    return await sandbox.readFile(path, { maxBytes: fileBytes, signal })
  } catch (error) {
    if (error instanceof SandboxFileError) return undefined
    throw error
  }
}
