import { posix } from 'node:path'
import { z } from 'zod'
import { globRegex } from '../../domain/tools/glob.ts'
import { lineRegex } from '../../domain/tools/regex.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { grepScript } from '../../providers/sandbox/search-scripts.ts'
import { search, type SearchOutput } from '../../providers/sandbox/search.ts'
import { defineTool } from './define.ts'
import { cutList, cutText } from './output/cut.ts'
import { showPath, withInputErrors } from './output/files.ts'

const maxMatches = 100
const maxPerFile = 10
const maxLineCharacters = 200
const undecodable = '\ufffd'

type Line = { file: string; line: number; content: string }

export const grep = defineTool({
  name: 'grep',
  description:
    'Searches files for lines that match a regular expression: at most 100 matches, 10 per file. Skips hidden folders and node_modules.',
  input: z.object({
    pattern: z
      .string()
      .min(1)
      .max(2000)
      .describe('Regular expression in Perl syntax for one line, without lookaround and back-references'),
    path: z.string().min(1).describe('File or folder to search, relative to the working directory'),
    glob: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('Search only files that match, for example *.ts or src/**/*.md'),
    caseSensitive: z.boolean().default(true),
  }),
  offeredTo: () => true,
  runsIn: 'sandbox',
  mayRepeat: true,
  run: ({ pattern, path, glob, caseSensitive }, { signal }, sandbox) =>
    withInputErrors(async () => {
      const root = posix.resolve(sandbox.workingDirectory, path)
      const { extended, ignoresCase } = lineRegex(pattern)
      const env = {
        SEARCH_PATTERN: extended,
        SEARCH_FILES: glob === undefined ? '.*' : globRegex(glob, { anyDepth: true }),
        SEARCH_CASE: caseSensitive && !ignoresCase ? '' : '-i',
        // Each file can yield one line over its limit. One more line shows that there are more matches.
        SEARCH_MOST: String(maxMatches + maxMatches / maxPerFile + 1),
        SEARCH_PER_FILE: String(maxPerFile + 1),
      }
      const output = await search(sandbox, { script: grepScript, root, env, signal })
      const { lines, binaryFiles } = output.marked ? parseMarked(output.text) : parsePlain(output.text)
      const countsByFile = new Map<string, number>()
      const linesWithinLimit = lines.filter(({ file }) => {
        const count = (countsByFile.get(file) ?? 0) + 1
        countsByFile.set(file, count)
        return count <= maxPerFile
      })
      const matches = cutList(
        linesWithinLimit
          .slice(0, maxMatches)
          .map((line) => toMatch(sandbox, output, line))
          .sort(compareMatches),
      )
      const isCut = output.truncated || matches.length < lines.length
      return {
        success: true,
        pattern,
        matchCount: matches.length,
        filesWithMatches: new Set(matches.map(({ file }) => file)).size,
        matches,
        ...(isCut && { truncated: true }),
        ...(binaryFiles > 0 && { binaryFilesSkipped: binaryFiles }),
      }
    }),
})

/** Returns a match for the model. `cut`: the line is shortened. `lossy`: bytes that are not UTF-8 are shown as U+FFFD. */
function toMatch(sandbox: Sandbox, { folder }: SearchOutput, { file, line, content }: Line) {
  const text = cutText(content.endsWith('\r') ? content.slice(0, -1) : content, maxLineCharacters)
  return {
    file: showPath(sandbox, posix.join(folder, file)),
    line,
    content: text,
    ...(text.length < content.length - (content.endsWith('\r') ? 1 : 0) && { cut: true }),
    ...(text.includes(undecodable) && { lossy: true }),
  }
}

type ParsedOutput = { lines: Line[]; binaryFiles: number }

/**
 * Parses the output with NUL separators: the number of binary files in the first line, then `name NUL line:content` records.
 * A name may contain a line feed.
 */
function parseMarked(text: string): ParsedOutput {
  const end = text.indexOf('\n')
  const [first = '', ...pieces] = text.slice(end + 1).split('\0')
  const lines: Line[] = []
  // A piece is the content of one record and, after its line feed, the name of the next record.
  let file = first
  for (const piece of pieces) {
    const feed = piece.indexOf('\n')
    const record = feed === -1 ? piece : piece.slice(0, feed)
    const number = /^\d+:/.exec(record)?.[0]
    if (number !== undefined)
      lines.push({ file, line: Number.parseInt(number, 10), content: record.slice(number.length) })
    file = feed === -1 ? '' : piece.slice(feed + 1)
  }
  return { lines, binaryFiles: Number.parseInt(text.slice(0, end), 10) || 0 }
}

/** Parses the plain output: names of binary files, names that are ambiguous before `:<line>:`, then the matches. */
function parsePlain(text: string): ParsedOutput {
  const [header = '', ...blocks] = text.split('\0')
  const empty = blocks.indexOf('')
  const ambiguous = blocks.slice(0, empty).toSorted((a, b) => b.length - a.length)
  const binary = new Set(header.split('\n').filter((name) => name !== ''))
  const matches = blocks.slice(empty + 1).join('\0')
  const lines: Line[] = []
  for (let offset = 0; offset < matches.length;) {
    const name =
      ambiguous.find((candidate) => matches.startsWith(`${candidate}:`, offset)) ??
      /[^:\n]*/y.exec(matches.slice(offset))?.[0] ??
      ''
    const [record, line, content = ''] = /^:(\d+):([^\n]*)\n?/.exec(matches.slice(offset + name.length)) ?? []
    if (record === undefined) {
      const next = matches.indexOf('\n', offset)
      offset = next === -1 ? matches.length : next + 1
    } else {
      if (!binary.has(name)) lines.push({ file: name, line: Number(line), content })
      offset += name.length + record.length
    }
  }
  return { lines, binaryFiles: binary.size }
}

function compareMatches(a: Line, b: Line): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1
}
