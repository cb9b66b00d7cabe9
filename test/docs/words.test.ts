import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { listFiles, listPages, readPage, root } from './pages.ts'

/** STYLE.md, "Sentences": each of these has a plain word in the field. */
const avoided =
  /\b(?:whoever|somebody|nobody|dearest|told|is asked for|hardly nested|umpteenth|in its hands|in their hands)\b/gi

const product =
  'activities api bench client config config.ts db dev domain engine lifetime.ts providers test waiting.ts web workers workflows'

/** Words that are fixed by something else. */
const exceptions: Record<string, string> = {
  // A text of the public contract.
  'domain/site/tools/readiness.ts': 'nobody',
  // A user of every Unix.
  'providers/sandbox/bubblewrap/etc.ts': 'nobody',
}

/** Generated, or the list of these words itself. */
const exempt = new Set(['client/schema.ts', 'test/docs/words.test.ts'])

const find = (path: string, text: string): string[] =>
  [...text.matchAll(avoided)]
    .map(([word]) => word.toLowerCase())
    .filter((word) => exceptions[path] !== word)
    .map((word) => `${path}: ${word}`)

/** Without code, which may name users and columns; of STYLE.md without its bad examples. */
const readProse = (page: string): string => {
  const prose = readPage(page)
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
  return page === 'STYLE.md' ? prose.replaceAll(/^\|.*$|^Never write .*$/gm, '') : prose
}

/** Comments, strings and texts of markup; identifiers are left out. */
const textsIn = (path: string): string => {
  const source = readFileSync(join(root, path), 'utf8')
  // Most files have none of the words, and parsing takes most of the time.
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

const sourcesIn = (folder: string): string[] =>
  folder.endsWith('.ts')
    ? [folder]
    : listFiles(folder).filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !exempt.has(path))

const findIn = (folder: string): string[] => sourcesIn(folder).flatMap((path) => find(path, textsIn(path)))

test('the pages avoid the words that STYLE.md lists', () => {
  expect(listPages().flatMap((page) => find(page, readProse(page)))).toEqual([])
})

test.each(product.split(' '))('comments and texts of %s avoid the words that STYLE.md lists', (folder) => {
  expect(findIn(folder)).toEqual([])
})

test('a word is found in any case and in no identifier', () => {
  expect(find('x.ts', 'Nobody is told.')).toEqual(['x.ts: nobody', 'x.ts: told'])
  expect(find('x.ts', 'untold')).toEqual([])
})
