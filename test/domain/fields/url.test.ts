import { expect, test } from 'vitest'
import { parseUrl } from '../../../domain/fields/url.ts'

const host = 'bücher.example'
const calls = 20_000

test('a host with non-ASCII letters is always normalized in the same way', () => {
  const hostnames = Array.from({ length: calls }, () => parseUrl(`https://${host}/`)?.hostname)
  expect(new Set(hostnames)).toEqual(new Set(['xn--bcher-kva.example']))
})

test.each(['', 'nova', '//nova.example', 'https://', 'https://a b/'])('%j is not a URL', (text) => {
  expect(parseUrl(text)).toBeUndefined()
})

test('a relative URL is resolved against a base URL', () => {
  expect(parseUrl('../b', new URL('https://nova.example/x/y'))?.href).toBe('https://nova.example/b')
})
