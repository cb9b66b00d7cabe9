import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { listFiles, listPages, readPage, root } from './pages.ts'

/** The words that the section "Sentences" of STYLE.md lists. */
const avoided =
  /\b(?:whoever|somebody|nobody|dearest|told|is asked for|hardly nested|umpteenth|in its hands|in their hands)\b/gi

const product =
  'activities api bench client config config.ts db dev domain engine lifetime.ts providers stack-trace.ts test waiting.ts web workers workflows'

/** Words that cannot be changed, by file. */
const exceptions: Record<string, string> = {
  // The public contract contains this text.
  'domain/site/tools/readiness.ts': 'nobody',
  // The name of a Unix user.
  'providers/sandbox/bubblewrap/etc.ts': 'nobody',
}

/** Generated files and the file with this list. */
const exempt = new Set(['client/schema.ts', 'test/docs/words.test.ts'])

const findAvoided = (path: string, text: string): string[] =>
  [...text.matchAll(avoided)]
    .map(([word]) => word.toLowerCase())
    .filter((word) => exceptions[path] !== word)
    .map((word) => `${path}: ${word}`)

/** Returns a page without code, which may contain users and columns, and STYLE.md without its bad examples. */
const readProse = (page: string): string => {
  const prose = readPage(page)
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
  return page === 'STYLE.md' ? prose.replaceAll(/^\|.*$|^Never write .*$/gm, '') : prose
}

/** Returns the comments, strings and JSX texts of a file, without identifiers. */
const readTexts = (path: string): string => {
  const source = readFileSync(join(root, path), 'utf8')
  // Parsing is slow, and most files contain none of the words.
  if (source.replaceAll(/\s*\n\s*\*? ?/g, ' ').search(avoided) === -1) return ''
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind)
  const comments = new Map<number, string>()
  const strings: string[] = []
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
    ])
      comments.set(pos, source.slice(pos, end).replaceAll(/\n\s*\* ?/g, ' '))
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      strings.push(node.text)
    if (ts.isJsxText(node)) strings.push(node.text)
    for (const child of node.getChildren(file)) visit(child)
  }
  visit(file)
  return [...comments.values(), ...strings].join('\n')
}

const listSources = (folder: string): string[] =>
  folder.endsWith('.ts')
    ? [folder]
    : listFiles(folder).filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !exempt.has(path))

const findIn = (folder: string): string[] => listSources(folder).flatMap((path) => findAvoided(path, readTexts(path)))

test('the pages avoid the words that STYLE.md lists', () => {
  expect(listPages().flatMap((page) => findAvoided(page, readProse(page)))).toEqual([])
})

test.each(product.split(' '))('comments and texts of %s avoid the words that STYLE.md lists', (folder) => {
  expect(findIn(folder)).toEqual([])
})

test('a word is found in any letter case, but not as a part of another word', () => {
  expect(findAvoided('x.ts', 'Nobody is told.')).toEqual(['x.ts: nobody', 'x.ts: told'])
  expect(findAvoided('x.ts', 'untold')).toEqual([])
})
