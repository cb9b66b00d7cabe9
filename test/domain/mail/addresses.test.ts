import { describe, expect, test } from 'vitest'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'

describe('an email address', () => {
  test.each([
    [' Person@Example.COM ', 'person@example.com'],
    ['a.b+c@example.com', 'a.b+c@example.com'],
    ['person@bücher.example', 'person@xn--bcher-kva.example'],
    ['person@EXAMPLE', 'person@example'],
    ['person@XN--BCHER-KVA.example', 'person@xn--bcher-kva.example'],
    [`agent+${'a'.repeat(64)}@example.com`, `agent+${'a'.repeat(64)}@example.com`],
    ['a..b.@example.com', 'a..b.@example.com'],
    ["o'hara!#$%&*/=?^_`{|}~-@example.com", "o'hara!#$%&*/=?^_`{|}~-@example.com"],
    ['a@1b.xn--p1ai', 'a@1b.xn--p1ai'],
  ])('is normalized from %j to %j', (input, expected) => {
    expect(normalizeEmail(input)).toBe(expected)
  })

  test.each([
    '',
    'a',
    '@example.com',
    'a@',
    'a@b@c',
    'a b@example.com',
    'a@exa mple.com',
    'a@b/c',
    'a@b:80',
    'a@[::1]',
    'a\0@b.c',
    'a,b@b.c',
    '"a"@b.c',
    '<a@b.c',
    'a\u0007@b.c',
    `${'a'.repeat(250)}@b.cd`,
    `${'a'.repeat(71)}@b.cd`,
    `a@${'b'.repeat(64)}.cd`,
    `a@${'b.'.repeat(126)}cd`,
    `${' '.repeat(1001)}a@b.cd`,
    '\u212Aim@example.com',
    'j\u00FCrgen@example.com',
    '\u00A0a@b.cd',
    'a@b.cd,evil',
    'a@b.cd;c@d.ef',
    'a@b.cd.',
    'a@.b.cd',
    'a@b..cd',
    'a@-b.cd',
    'a@b-.cd',
    'a@b_c.de',
    'a@b%2ecd',
    'a@127.0.0.1',
    'a@127.1',
    'a@0x7f.0x1',
    'a@1',
    'a@[127.0.0.1]',
    'a@\uFF11\uFF12\uFF17.1',
    'a@\u212A.example',
    'a@\u24D4xample.com',
    'a@example\u3002com',
    'a@b\u00FCcher\u3002com',
    'a@ex\u00ADample.com',
    'a@xn--a.com',
    'a@b.cd\nBcc: c@d.ef',
    'a@b\u0000.cd',
  ])('cannot be %j', (input) => {
    expect(normalizeEmail(input)).toBeUndefined()
  })

  test('is not changed by a second normalization', () => {
    for (const input of ['Person@B\u00FCcher.example', 'a@fa\u00DF.de', 'a@\u2603.net'])
      expect(normalizeEmail(normalizeEmail(input) ?? '')).toBe(normalizeEmail(input))
  })
})
