import { describe, expect, it } from 'vitest'
import { GlobError, globRegex, splitAbsolute } from '../../../domain/tools/glob.ts'

const matches = (glob: string, path: string, anyDepth = false): boolean =>
  new RegExp(globRegex(glob, { anyDepth })).test(`./${path}`)

describe('a glob', () => {
  it.each([
    ['*.ts', 'a.ts'],
    ['./*.ts', 'a.ts'],
    ['**/*.ts', 'a.ts'],
    ['**/*.ts', 'a/b/c.ts'],
    ['src/**/x.ts', 'src/x.ts'],
    ['src/**/x.ts', 'src/a/b/x.ts'],
    ['src/**', 'src/a/b'],
    ['**', 'a/b'],
    ['a?c', 'abc'],
    ['[abc].md', 'b.md'],
    ['[a-c]x', 'bx'],
    ['[!a-c]x', 'dx'],
    ['[^a]x', 'bx'],
    ['[a-]x', '-x'],
    ['[a^]x', '^x'],
    ['[^^]x', 'ax'],
    ['[\\\\a]x', '\\x'],
    ['[[]x', '[x'],
    ['*.{ts,md}', 'a.md'],
    ['{a,{b,c}}/x', 'c/x'],
    ['a,b', 'a,b'],
    ['{a', '{a'],
    ['{{a,b}', '{b'],
    ['{a,\\}}', '}'],
    ['[\\]', '[]'],
    ['a}', 'a}'],
    ['[a', '[a'],
    ['\\*', '*'],
    ['a+b(c)|$^.x', 'a+b(c)|$^.x'],
    ['ü*', 'ümlaut'],
  ])('%s matches %s', (glob, path) => expect(matches(glob, path)).toBe(true))

  it.each([
    ['*.ts', 'a/b.ts'],
    ['*.ts', 'ats'],
    ['a?c', 'a/c'],
    ['[!a]x', '/x'],
    ['[^^]x', '^x'],
    ['a**b', 'a/b'],
    ['src/**/x.ts', 'src/ax.ts'],
    ['src/**', 'srcs/a'],
    ['{a,b}', 'c'],
    ['\\*', 'a'],
    ['*.md', 'a.mdx'],
  ])('%s does not match %s', (glob, path) => expect(matches(glob, path)).toBe(false))

  it('without a slash matches at any depth if the option is set', () => {
    expect(matches('*.ts', 'a/b.ts', true)).toBe(true)
    expect(matches('a/*.ts', 'b/a/c.ts', true)).toBe(false)
  })

  it('must not contain a range whose order depends on the locale', () => {
    expect(() => globRegex('[z-a]')).toThrow(GlobError)
    expect(() => globRegex('[+-/]')).toThrow(GlobError)
  })

  it('is split into a folder and a relative glob if it is absolute', () => {
    expect(splitAbsolute('/workspace/src/**/*.ts')).toEqual({ base: '/workspace/src', rest: '**/*.ts' })
    expect(splitAbsolute('/a/b.ts')).toEqual({ base: '/a', rest: 'b.ts' })
    expect(splitAbsolute('/*')).toEqual({ base: '/', rest: '*' })
  })
})
