import { posix } from 'node:path'
import { z } from 'zod'
import { globRegex, splitAbsolute } from '../../domain/tools/glob.ts'
import { defineTool } from './define.ts'
import { cutList } from './output/cut.ts'
import { showPath, withInputErrors } from './output/files.ts'

export const glob = defineTool({
  name: 'glob',
  description: 'Finds files by a path pattern, most recently changed first. Skips hidden folders and node_modules.',
  input: z.object({
    pattern: z.string().min(1).max(1000).describe('For example src/**/*.ts; ** matches any depth'),
    path: z.string().min(1).optional().describe('Folder to search, relative to the working directory'),
    limit: z.int().min(1).max(1000).default(100).describe('Maximum number of files'),
  }),
  offeredTo: () => true,
  runsIn: 'sandbox',
  mayRepeat: true,
  run: ({ pattern, path = '.', limit }, { signal }, sandbox) =>
    withInputErrors(async () => {
      const absolute = pattern.startsWith('/') ? splitAbsolute(pattern) : undefined
      const root = posix.resolve(sandbox.workingDirectory, absolute?.base ?? path)
      const regex = globRegex(absolute?.rest ?? pattern)
      const results = await sandbox.glob({ root, regex, limit, signal })
      const files = results.map(({ path, size, modifiedAt }) => ({
        path: showPath(sandbox, path),
        size,
        modifiedAt: modifiedAt.toISOString(),
      }))
      const fittingFiles = cutList(files)
      return {
        success: true,
        pattern,
        baseDir: showPath(sandbox, root),
        count: fittingFiles.length,
        files: fittingFiles,
      }
    }),
})
