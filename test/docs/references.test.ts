import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, listPages, readPage, root } from './pages.ts'

const files = listFiles()
const names = new Set(files.map((path) => basename(path)))
const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> }
const folders = files.flatMap((path) => path.split('/').slice(0, -1).slice(0, 1))
const isBelowFolder = new RegExp(`^(?:${[...new Set(folders)].join('|').replaceAll('.', '\\.')})/`)

/** The Markdown without its fenced code. */
const readProse = (markdown: string): string => markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')

const anchorsIn = (markdown: string): string[] =>
  [...readProse(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Relative links whose file or heading does not exist. */
const findBrokenLinks = (page: string, markdown: string): string[] =>
  [...readProse(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:\/|[a-z]+:|\{\{)/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, file))) return true
      return anchor !== undefined && !anchorsIn(readPage(file)).includes(anchor)
    })

/** Whether a path exists; `*` matches within a folder. */
const isPath = (path: string): boolean => {
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`)
  return existsSync(join(root, path)) || files.some((file) => pattern.test(file))
}

/** Paths and names of source files, in backticks, that the repository lacks. */
const findMissingFiles = (markdown: string): string[] =>
  [...readProse(markdown).matchAll(/`([^`\s]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => {
      if (/[<>{}…$]/.test(span)) return false
      if (isBelowFolder.test(span)) return !isPath(span) && !isPath(`test/${span}`)
      return /^[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs)$/.test(span) && !names.has(span)
    })

/** Names, written as `name` (`path`), that the file does not contain. */
const findMissingNames = (markdown: string): string[] =>
  [...readProse(markdown).matchAll(/`(\w+)` \(`([\w./-]+\.\w+)`\)/g)]
    .filter(
      ([, name = '', path = '']) => existsSync(join(root, path)) && !new RegExp(`\\b${name}\\b`).test(readPage(path)),
    )
    .map(([all]) => all)

/** Commands that package.json lacks, and files that a test command selects and the repository lacks. */
const findMissingCommands = (markdown: string): string[] => [
  ...[...markdown.matchAll(/npm run ([\w:-]*\w)/g)].filter(([, name = '']) => !(name in scripts)).map(([all]) => all),
  ...[...markdown.matchAll(/npm (?:test|run proof) -- ([\w./-]+)/g)]
    .filter(([, part = '']) => !files.some((path) => path.includes(part)))
    .map(([all]) => all),
]

test.each(listPages())('%s names files, functions, headings and commands that exist', (page) => {
  const markdown = readPage(page)
  expect({
    links: findBrokenLinks(page, markdown),
    files: findMissingFiles(markdown),
    names: findMissingNames(markdown),
    commands: findMissingCommands(markdown),
  }).toEqual({ links: [], files: [], names: [], commands: [] })
})

test('a page with a wrong link, file, function and command is found', () => {
  const markdown =
    'See [x](missing.md), [y](#nowhere), `workers/missing.ts`, `workers/missing*.ts`, `missing.ts`, `noSuchName` (`config.ts`) and `npm run missing`.'
  expect(findBrokenLinks('README.md', markdown)).toEqual(['missing.md', '#nowhere'])
  expect(findMissingFiles(markdown)).toEqual(['workers/missing.ts', 'workers/missing*.ts', 'missing.ts'])
  expect(findMissingNames(markdown)).toEqual(['`noSuchName` (`config.ts`)'])
  expect(findMissingCommands(markdown)).toEqual(['npm run missing'])
})
