import { beforeAll, describe, expect, it } from 'vitest'
import { selectDrivers, useSandboxFixture, type Driver } from '../providers/sandbox/contract.ts'
import { requireInput, runInSandbox } from './run-tool.ts'

type Output = Record<string, unknown> & {
  matches: { file: string; line: number; content: string }[]
  files: { path: string; size: number; modifiedAt: string }[]
}

const listPaths = ({ files }: Output) => files.map(({ path }) => path)
const listLines = ({ matches }: Output) => matches.map(({ line }) => line)
const listSortedPaths = (output: Output) => listPaths(output).sort()

const describeSearch = (driver: Driver): void => {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(`a search in ${title}`, () => {
    const fixture = useSandboxFixture(driver)
    const run = async (name: string, input: object) => (await runInSandbox(fixture.sandbox, name, input)) as Output
    const grep = (pattern: string, options: object = {}) => run('grep', { pattern, path: '.', ...options })
    const glob = (pattern: string, options: object = {}) => run('glob', { pattern, ...options })

    beforeAll(async () => {
      await fixture.sandbox.writeFiles([
        { path: 'tree/a.ts', content: 'alpha\nBeta one\nbeta two\n' },
        { path: 'tree/deep/er/b.ts', content: 'beta three' },
        { path: 'tree/deep/note.md', content: 'beta: a:1:b\n' },
        { path: 'tree/.hidden/c.ts', content: 'beta hidden' },
        { path: 'tree/.config.ts', content: 'beta config' },
        { path: 'tree/node_modules/d/e.ts', content: 'beta module' },
        { path: 'odd/$(touch pwned) `id`; *.txt', content: 'beta odd\n' },
        { path: 'odd/-n', content: 'beta dash\n' },
        { path: 'odd/ümlaut', content: 'Größe\n' },
        { path: 'many/lines', content: 'same line\n'.repeat(50) },
        { path: 'wide', content: `needle${'ü'.repeat(1000)}\n` },
      ])
    })

    it('finds lines by an extended regular expression, in order', async () => {
      expect(await grep('^beta (one|two)', { path: 'tree', caseSensitive: false })).toEqual({
        success: true,
        pattern: '^beta (one|two)',
        matchCount: 2,
        filesWithMatches: 1,
        matches: [
          { file: 'tree/a.ts', line: 2, content: 'Beta one' },
          { file: 'tree/a.ts', line: 3, content: 'beta two' },
        ],
      })
    })

    it('searches every folder except hidden folders and node_modules', async () => {
      const { matches, filesWithMatches } = await grep('beta', { path: 'tree' })
      const files = ['tree/.config.ts', 'tree/a.ts', 'tree/deep/er/b.ts', 'tree/deep/note.md']
      expect(matches.map(({ file }) => file)).toEqual(files)
      expect(filesWithMatches).toBe(4)
      expect(matches.at(-1)?.content).toBe('beta: a:1:b')
    })

    it('searches a hidden folder or file if the path names it', async () => {
      expect(await grep('beta', { path: 'tree/.hidden' })).toMatchObject({ matchCount: 1 })
      expect((await grep('beta', { path: '/workspace/tree/a.ts' })).matches).toEqual([
        { file: 'tree/a.ts', line: 3, content: 'beta two' },
      ])
    })

    it('searches only files that match the glob', async () => {
      const notes = await grep('beta', { path: 'tree', glob: '*.md' })
      expect(notes.matches.map(({ file }) => file)).toEqual(['tree/deep/note.md'])
      const deep = await grep('beta', { path: 'tree', glob: 'deep/**/*.{ts,md}' })
      expect(deep.matches.map(({ file }) => file)).toEqual(['tree/deep/er/b.ts', 'tree/deep/note.md'])
    })

    it('succeeds without a match', async () => {
      expect(await grep('nothing like this', { path: 'tree' })).toEqual({
        success: true,
        pattern: 'nothing like this',
        matchCount: 0,
        filesWithMatches: 0,
        matches: [],
      })
    })

    it('treats patterns, paths and file names as data, never as commands', async () => {
      const { matches } = await grep('beta', { path: 'odd' })
      expect(matches.map(({ file }) => file)).toEqual(['odd/$(touch pwned) `id`; *.txt', 'odd/-n'])
      expect(await grep('-e', { path: 'odd' })).toMatchObject({ success: true, matchCount: 0 })
      expect(await grep('$(touch pwned)`touch pwned`', { path: 'odd' })).toMatchObject({ success: true })
      expect(await grep('x', { path: '$(touch pwned)' })).toEqual({ success: false, error: 'Path not found' })
      expect(await grep('x', { path: 'a\0b' })).toMatchObject({ success: false })
      expect((await grep('Größe', { path: 'odd' })).matches).toEqual([
        { file: 'odd/ümlaut', line: 1, content: 'Größe' },
      ])
      expect(await fixture.run('ls pwned odd/pwned 2>/dev/null')).toBe('')
    })

    it('finds ten lines per file and a hundred in total, each truncated to 200 characters', async () => {
      const limitedResult = await grep('same', { path: 'many' })
      expect(limitedResult).toMatchObject({ matchCount: 10, filesWithMatches: 1, truncated: true })
      const files = Array.from({ length: 30 }, (_, at) => ({ path: `crowd/${at}`, content: 'same line\n'.repeat(20) }))
      await fixture.sandbox.writeFiles(files)
      const crowd = await grep('same', { path: 'crowd' })
      expect(crowd).toMatchObject({ success: true, matchCount: 100, truncated: true })
      const [match] = (await grep('needle', { path: 'wide' })).matches
      expect(match).toMatchObject({ content: expect.stringMatching(/^.{200}$/) as string, cut: true })
    })

    it('interprets Perl syntax the same way on every system', async () => {
      const content = 'id 42\nID x{7}\n[tag]\na\\b\ndddd\nv^-]\n'
      await fixture.sandbox.writeFiles([{ path: 'perl', content }])
      expect(listLines(await grep('^id \\d+$', { path: 'perl' }))).toEqual([1])
      expect(listLines(await grep('(?i)^ID\\s', { path: 'perl' }))).toEqual([1, 2])
      expect(listLines(await grep('x{\\d}|(?:zz)+?', { path: 'perl' }))).toEqual([2])
      expect(listLines(await grep('\\[t[^\\]\\s]+\\]', { path: 'perl' }))).toEqual([3])
      expect(listLines(await grep('[\\\\^]', { path: 'perl' }))).toEqual([4, 6])
      expect(listLines(await grep('\\bd{2,}?\\b|[]-]', { path: 'perl' }))).toEqual([3, 5, 6])
      expect(listLines(await grep('^[\\s\\S]{5}$', { path: 'perl' }))).toEqual([1, 3])
    })

    it('reports file names with unusual characters and searches files that are not UTF-8', async () => {
      const paths = ['odd-names/a:1:b', 'odd-names/line\nfeed:2:', 'odd-names/-v', 'odd-names/a']
      await fixture.sandbox.writeFiles(paths.map((path) => ({ path, content: 'x:3:y target\n' })))
      const latin = Uint8Array.from([...Buffer.from('target Gr'), 0xf6, ...Buffer.from('e\r\n')])
      await fixture.sandbox.writeFiles([
        { path: 'odd-names/latin', content: latin },
        { path: 'odd-names/picture', content: 'a\0 target\n' },
      ])
      const { matches, ...rest } = await grep('target', { path: 'odd-names' })
      const plainMatches = matches.filter(({ file }) => file !== 'odd-names/latin')
      expect(plainMatches.map(({ file, line, content }) => [file, line, content])).toEqual(
        paths.toSorted().map((file) => [file, 1, 'x:3:y target']),
      )
      expect(matches.find(({ file }) => file === 'odd-names/latin')).toMatchObject({
        content: expect.stringMatching(/^target Gr.e$/) as string,
      })
      expect(rest).toEqual({
        success: true,
        pattern: 'target',
        matchCount: 5,
        filesWithMatches: 5,
        binaryFilesSkipped: 1,
      })
    })

    it.each([
      ['(a)\\1', 'Back-references are not supported'],
      ['a(b', 'The pattern is not a valid regular expression: a parenthesis is not closed'],
      ['a(?=b)', 'Lookahead and lookbehind are not supported'],
    ])('rejects the pattern %s', async (pattern, error) => {
      expect(await grep(pattern, { path: 'tree' })).toEqual({ success: false, error })
    })

    it('is fast even for a pattern that could cause excessive backtracking', async () => {
      await fixture.sandbox.writeFiles([{ path: 'slow', content: `${'a'.repeat(30_000)}!\n` }])
      expect(await grep('^(a+)+$', { path: 'slow' })).toMatchObject({ success: true, matchCount: 0 })
      expect(await grep('(a|aa)*c', { path: 'slow' })).toMatchObject({ success: true, matchCount: 0 })
    })

    it('does not open special files', async () => {
      if (driver.name === 'just-bash') return
      await fixture.run('mkdir -p pipes && mkfifo pipes/pipe && ln -s /etc/passwd pipes/link')
      expect(await grep('.', { path: 'pipes' })).toMatchObject({ success: true, matchCount: 0 })
      expect(await grep('.', { path: 'pipes/pipe' })).toEqual({
        success: false,
        error: 'Not a regular file or folder',
      })
    })

    it('finds files by a path pattern, most recently changed first', async () => {
      await fixture.run(
        'touch -d "2020-01-01 00:00:00" tree/a.ts; touch -d "2022-01-01 00:00:00" tree/deep/er/b.ts; touch -d "2021-01-01 00:00:00" tree/.config.ts',
      )
      const result = await glob('**/*.ts', { path: 'tree' })
      expect(result).toMatchObject({ success: true, pattern: '**/*.ts', baseDir: 'tree', count: 3 })
      expect(listPaths(result)).toEqual(['tree/deep/er/b.ts', 'tree/.config.ts', 'tree/a.ts'])
      expect(result.files[0]).toMatchObject({ size: 10, modifiedAt: expect.stringMatching(/^2022-01-01T00:00:00/) })
    })

    it('finds files with * within one folder and by an absolute path, and reports when there are none', async () => {
      expect(listSortedPaths(await glob('tree/*.ts'))).toEqual(['tree/.config.ts', 'tree/a.ts'])
      expect(await glob('/workspace/tree/deep/**')).toMatchObject({ baseDir: 'tree/deep', count: 2 })
      expect(await glob('*.none')).toEqual({ success: true, pattern: '*.none', baseDir: '.', count: 0, files: [] })
      expect(listSortedPaths(await glob('odd/*'))).toEqual(['odd/$(touch pwned) `id`; *.txt', 'odd/-n', 'odd/ümlaut'])
    })

    it.each([
      ['[]]x', ']x'],
      ['[]^a[-]x', '^x'],
      ['[!]a]x', '[x'],
      ['[[]x', '[x'],
      ['[\\\\a]x', '\\x'],
    ])('interprets brackets the same way on every system: %s', async (pattern, name) => {
      await fixture.sandbox.writeFiles([{ path: `brackets/${name}`, content: '' }])
      expect(listPaths(await glob(pattern, { path: 'brackets' }))).toContain(`brackets/${name}`)
      expect(listPaths(await glob(pattern, { path: 'brackets' }))).not.toContain('brackets/ax')
    })

    it('finds at most as many files as requested', async () => {
      expect((await glob('**', { limit: 3 })).files).toHaveLength(3)
      expect(() => requireInput('glob', { pattern: '*', limit: 1001 })).toThrow('limit')
    })

    it('reports an invalid path or pattern', async () => {
      expect(await glob('*', { path: 'absent' })).toEqual({ success: false, error: 'Path not found' })
      expect(await glob('[z-a]')).toMatchObject({ success: false })
    })
  })
}

for (const driver of await selectDrivers()) describeSearch(driver)
