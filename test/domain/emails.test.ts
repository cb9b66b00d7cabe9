import { describe, expect, test } from 'vitest'
import { normalizeEmail } from '../../domain/emails.ts'

describe('an email address', () => {
  test.each([
    [' Person@Example.COM ', 'person@example.com'],
    ['a.b+c@example.com', 'a.b+c@example.com'],
    ['person@bücher.example', 'person@xn--bcher-kva.example'],
    ['person@EXAMPLE', 'person@example'],
  ])('%j is kept as %j', (given, kept) => {
    expect(normalizeEmail(given)).toBe(kept)
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
  ])('%j is none', (given) => {
    expect(normalizeEmail(given)).toBeUndefined()
  })
})
