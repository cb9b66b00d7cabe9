import { describe, expect, test } from 'vitest'
import { readTar } from '../../../activities/repositories/tar.ts'
import { parseCommitMessage } from '../../../domain/repositories/commits.ts'
import { JsonTooComplexError, parseJson } from '../../../domain/fields/json.ts'
import { parseSubmodules } from '../../../domain/sandboxes/personal.ts'
import { withoutSecrets } from '../../../domain/fields/secrets.ts'
import { readSkills } from '../../../domain/tools/skills.ts'
import { AnswerReader } from '../../../providers/model/openai/answer.ts'
import { ModelError } from '../../../providers/model/index.ts'
import { measureGrowth } from './growth.ts'

/** Creates a tar archive of one extended header with this content. */
const createArchive = (content: string): Buffer => {
  const header = Buffer.alloc(512)
  header.write(content.length.toString(8).padStart(11, '0'), 124)
  header.write('x', 156)
  return Buffer.concat([
    header,
    Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, '\0')),
    header.fill(0),
  ])
}

const ignoreErrors = (run: () => unknown) => (): void => {
  try {
    run()
  } catch {
    // The parser has also read a text that it rejects.
  }
}

test.each<[string, number, (size: number) => () => unknown]>([
  [
    'spaces in a value of .gitmodules',
    20_000,
    (size) => () => parseSubmodules(`[submodule "a"]\nurl = a${' '.repeat(size)}b`),
  ],
  ['line breaks in .gitmodules', 20_000, (size) => () => parseSubmodules('\r\n'.repeat(size))],
  [
    'spaces after a key of .gitmodules',
    20_000,
    (size) => () => parseSubmodules(`[submodule "a"]\npath${' '.repeat(size)}`),
  ],
  ['repeated token prefixes', 10_000, (size) => () => withoutSecrets('eyJ-'.repeat(size))],
  ['repeated prefixes of dotted tokens', 10_000, (size) => () => withoutSecrets('eyJ.'.repeat(size))],
  ['spaces after an authorization scheme', 20_000, (size) => () => withoutSecrets(`bearer${' '.repeat(size)}`)],
  ['quotes in a commit message', 20_000, (size) => () => parseCommitMessage(`feat: ${'"'.repeat(size)}x`)],
  [
    'records of an extended tar header',
    20_000,
    (size) => ignoreErrors(() => readTar(createArchive('1 '.repeat(size)))),
  ],
  [
    'a model event in small chunks',
    200_000,
    (size) => () => {
      const reader = new AnswerReader({ adapter: 'model' }, undefined)
      reader.feed('data: ')
      for (let sent = 0; sent < size; sent += 100) reader.feed(' '.repeat(100))
    },
  ],
  ['nested brackets in JSON', 200_000, (size) => ignoreErrors(() => parseJson('['.repeat(size)))],
  ['escaped quotes in JSON', 200_000, (size) => ignoreErrors(() => parseJson(`"${'\\"'.repeat(size)}`))],
])('the time to parse %s is linear', async (_, size, run) => {
  expect(await measureGrowth(run(size), run(4 * size), 9)).toBeLessThan(9)
})

test('a response with too many lines that are not events fails, while a few such lines are skipped', () => {
  const reader = new AnswerReader({ adapter: 'model' }, undefined)
  expect(reader.feed('ping\n'.repeat(600))).toEqual([])
  expect(() => reader.feed('ping\n'.repeat(5000))).toThrow(ModelError)
})

const nestBrackets = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('external JSON', () => {
  test('is parsed to the same value as by JSON.parse', () => {
    for (const text of ['{"a":[1,"]",{"b\\"[":null}]}', '"\\\\"', '0', ' [ ] '])
      expect(parseJson(text)).toEqual(JSON.parse(text))
    expect(() => parseJson('{"a"')).toThrow(SyntaxError)
  })

  test('is rejected before parsing if it is nested too deeply or has too many values', () => {
    expect(parseJson(nestBrackets(256))).toBeInstanceOf(Array)
    expect(() => parseJson(nestBrackets(257))).toThrow(JsonTooComplexError)
    expect(() => parseJson('['.repeat(5_000_000))).toThrow('nested too deeply')
    expect(() => parseJson(`[${'{},'.repeat(60_000)}0]`)).toThrow('more than 100000 values')
    expect(parseJson(`["${'[,{'.repeat(100_000)}"]`)).toHaveLength(1)
  })
})

test.each([
  ['nested explicit keys', '? '.repeat(3500)],
  ['explicit keys in brackets', `{${'? {'.repeat(2000)}`],
  ['explicit keys in lines', Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}?`).join('\n')],
  ['nested lists', '- '.repeat(3500)],
  ['brackets', `x: ${'['.repeat(7000)}`],
])('front matter of %s is skipped within five seconds', (_, yaml) => {
  const startedAt = performance.now()
  expect(readSkills([{ path: '/s', text: `---\nname: a\ndescription: b\n${yaml}\n---\n` }])).toEqual([])
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('front matter with lists, brackets and question marks is parsed', () => {
  const yaml = 'name: a\ndescription: What? Why ? [Links](x) {here}\nallowed-tools: [read, write]\ntags:\n  - a\n  - b'
  expect(readSkills([{ path: '/s', text: `---\n${yaml}\n---\n` }])).toMatchObject([{ name: 'a' }])
})

test('secrets are removed from the texts of runs', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0123.c2lnbmF0dXJl'
  expect(withoutSecrets([`Bearer  ${'a'.repeat(20)}`, `x=${token} y`, `https://u:p@h/`, 'eyJ.no', 'a.b.c'])).toEqual([
    'Bearer  [removed]',
    'x=[removed] y',
    'https://[removed]@h/',
    'eyJ.no',
    'a.b.c',
  ])
})

test('entries of .gitmodules are parsed in the form in which git writes them', () => {
  const text =
    '[submodule "orgs/a"]\n\tpath = orgs/a\n\turl = https://h/a.git\r\n[other]\n\tpath = no\n' +
    '[submodule "b"]\n  url=https://h/b.git \n  path=-b\n[submodule "c"]\n\tpath = ../c\n\turl = https://h/c.git\n[submodule "d"]\n\tpath = d\n'
  expect(parseSubmodules(text)).toEqual([
    { path: 'orgs/a', url: 'https://h/a.git' },
    { path: '-b', url: 'https://h/b.git' },
  ])
})
