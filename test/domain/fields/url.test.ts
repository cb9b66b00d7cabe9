import { expect, test } from 'vitest'
import { parseUrl } from '../../../domain/fields/url.ts'

const host = 'bücher.example'
const calls = 20_000

test('an address with letters of other languages is normalized once and for all', () => {
  const read = Array.from({ length: calls }, () => parseUrl(`https://${host}/`)?.hostname)
  expect(new Set(read)).toEqual(new Set(['xn--bcher-kva.example']))
})

test.each(['', 'nova', '//nova.example', 'https://', 'https://a b/'])('%j is no address', (text) => {
  expect(parseUrl(text)).toBeUndefined()
})

test('an address is read from another one', () => {
  expect(parseUrl('../b', new URL('https://nova.example/x/y'))?.href).toBe('https://nova.example/b')
})
