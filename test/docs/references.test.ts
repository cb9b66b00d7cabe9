import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, listPages, readPage, root } from './pages.ts'

const files = listFiles()
const names = new Set(files.map((path) => basename(path)))
const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> }
const folders = files.flatMap((path) => path.split('/').slice(0, -1).slice(0, 1))
const isInFolder = new RegExp(`^(?:${[...new Set(folders)].join('|').replaceAll('.', '\\.')})/`)

/** Returns the Markdown without fenced code. */
const readProse = (markdown: string): string => markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')

const listAnchors = (markdown: string): string[] =>
  [...readProse(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Finds relative links whose file or heading does not exist. */
const findBrokenLinks = (page: string, markdown: string): string[] =>
  [...readProse(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:\/|[a-z]+:|\{\{)/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, file))) return true
      return anchor !== undefined && !listAnchors(readPage(file)).includes(anchor)
    })

/** Returns whether a path exists. `*` matches within one path segment. */
const isPath = (path: string): boolean => {
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`)
  return existsSync(join(root, path)) || files.some((file) => pattern.test(file))
}

/** Finds paths and names of source files in backticks that do not exist. */
const findMissingFiles = (markdown: string): string[] =>
  [...readProse(markdown).matchAll(/`([^`\s]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => {
      if (/[<>{}…$]/.test(span)) return false
      if (isInFolder.test(span)) return !isPath(span) && !isPath(`test/${span}`)
      return /^[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs)$/.test(span) && !names.has(span)
    })

/** Finds names, written as `name` (`path`), that the file does not contain. */
const findMissingNames = (markdown: string): string[] =>
  [...readProse(markdown).matchAll(/`(\w+)` \(`([\w./-]+\.\w+)`\)/g)]
    .filter(
      ([, name = '', path = '']) => existsSync(join(root, path)) && !new RegExp(`\\b${name}\\b`).test(readPage(path)),
    )
    .map(([all]) => all)

/** Finds commands that package.json does not define, and missing files in test commands. */
const findMissingCommands = (markdown: string): string[] => [
  ...[...markdown.matchAll(/npm run ([\w:-]*\w)/g)].filter(([, name = '']) => !(name in scripts)).map(([all]) => all),
  ...[...markdown.matchAll(/npm (?:test|run proof) -- ([\w./-]+)/g)]
    .filter(([, part = '']) => !files.some((path) => path.includes(part)))
    .map(([all]) => all),
]

test.each(listPages())('%s refers only to existing files, functions, headings and commands', (page) => {
  const markdown = readPage(page)
  expect({
    links: findBrokenLinks(page, markdown),
    files: findMissingFiles(markdown),
    names: findMissingNames(markdown),
    commands: findMissingCommands(markdown),
  }).toEqual({ links: [], files: [], names: [], commands: [] })
})

test('the checks find broken links, files, functions and commands', () => {
  const markdown =
    'See [x](missing.md), [y](#nowhere), `workers/missing.ts`, `workers/missing*.ts`, `missing.ts`, `noSuchName` (`config.ts`) and `npm run missing`.'
  expect(findBrokenLinks('README.md', markdown)).toEqual(['missing.md', '#nowhere'])
  expect(findMissingFiles(markdown)).toEqual(['workers/missing.ts', 'workers/missing*.ts', 'missing.ts'])
  expect(findMissingNames(markdown)).toEqual(['`noSuchName` (`config.ts`)'])
  expect(findMissingCommands(markdown)).toEqual(['npm run missing'])
})
