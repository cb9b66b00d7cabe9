import { describe, expect, test } from 'vitest'
import { lineRegex } from '../../../domain/tools/regex.ts'

test.each([
  ['^(a|b)*c$', '^(a|b)*c$'],
  ['\\d+\\.\\w', '[0-9]+\\.[A-Za-z0-9_]'],
  ['\\D\\S', '[^0-9][^ \t\r\f\v]'],
  ['(?:a|b)+?', '(a|b)+'],
  ['(?<name>x)(?P<n>y)', '(x)(y)'],
  ['f() {', 'f() [{]'],
  ['a{2,3}{', 'a{2,3}[{]'],
  ['a{,3}', 'a{0,3}'],
  ['\\x41\\u{e9}\\t', 'Aé\t'],
  ['\\<div\\>\\/', '<div>/'],
  ['\\Qa.b*\\E+', 'a\\.b\\*+'],
  ['\\Ax\\z', '^x$'],
  ['[\\d.]', '[0-9.]'],
  ['[^\\]\\\\]', '[^]\\\\]'],
  ['[]^-]', '[]^-]'],
  ['[a\\-z]', '[az-]'],
  ['[\\^]', '\\^'],
  ['[-^]', '[-^]'],
  ['[[:alpha:]_]', '[[:alpha:]_]'],
  ['[[]', '[[]'],
  ['[\\s\\S]', '.'],
  ['[^\\S]', '[ \t\r\f\v]'],
  ['[*--]', '[*+,-]'],
])('the pattern %s becomes %s', (pattern, extended) => {
  expect(lineRegex(pattern)).toEqual({ extended, ignoresCase: false })
})

test('flags at the start are applied', () => {
  expect(lineRegex('(?i)a')).toEqual({ extended: 'a', ignoresCase: true })
  expect(lineRegex('(?ms)a')).toEqual({ extended: 'a', ignoresCase: false })
})

describe('an unsupported pattern is rejected', () => {
  test.each([
    ['(?=a)', 'Lookahead and lookbehind'],
    ['a(?<!b)', 'Lookahead and lookbehind'],
    ['(?>a)', 'Atomic groups'],
    ['(?R)', 'recursion'],
    ['a(?i)b', 'at the start of the pattern only'],
    ['(a)\\1', 'Back-references'],
    ['\\k<a>', 'Back-references'],
    ['a++', 'Possessive'],
    ['\\p{L}', '\\p is not supported'],
    ['a\\nb', 'one line'],
    ['a\nb', 'one line'],
    ['[\\n]', 'one line'],
    ['*a', 'nothing precedes *'],
    ['a**', 'nothing precedes *'],
    ['a{5,2}', 'ends before it begins'],
    ['a{1001}', 'more than 1000'],
    ['(a', 'not closed'],
    ['a)', 'unmatched'],
    ['[a', 'not closed'],
    ['[z-a]', 'out of order'],
    ['[\\Sa]', 'together with other members'],
    ['a\\', 'ends with a backslash'],
  ])('%j', (pattern, reason) => {
    expect(() => lineRegex(pattern)).toThrow(reason)
  })
})
