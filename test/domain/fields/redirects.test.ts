import { describe, expect, test } from 'vitest'
import { explainInvalidRedirect, redirectTarget } from '../../../domain/fields/redirects.ts'

const anyOrigin = { productionMode: false, origins: undefined }
const notHttps = 'must be an absolute https URL'

describe('a redirect target', () => {
  test.each([
    'https://app.example.com',
    'https://app.example.com:8443/a?b=c#d',
    'http://localhost:3000/x',
    'http://127.0.0.1/',
    'http://[::1]:1/',
  ])('may be %s', (target) => expect(explainInvalidRedirect(target, anyOrigin)).toBeUndefined())

  test.each([
    ['', notHttps],
    ['/billing', notHttps],
    ['//evil.example/x', notHttps],
    ['http://app.example.com/', notHttps],
    ['http://localhost.evil.example/', notHttps],
    ['javascript:alert(1)', notHttps],
    ['data:text/html,x', notHttps],
    ['https:app.example.com', notHttps],
    ['https:/\\evil.example', notHttps],
    ['https://app.example.com\\@evil.example/', notHttps],
    ['https://app.example.com/\u0000', notHttps],
    ['https://app.example.com/\n', notHttps],
    [' https://app.example.com/', notHttps],
    ['https://user@app.example.com/', 'must not contain credentials'],
    ['https://user:word@app.example.com/', 'must not contain credentials'],
    ['https://@app.example.com/', 'must not contain credentials'],
    [`https://app.example.com/${'x'.repeat(2048)}`, 'must have at most 2048 characters'],
  ])('may not be %j', (target, error) => {
    expect(explainInvalidRedirect(target, anyOrigin)).toBe(error)
  })

  test('must be https in production mode, even on localhost', () => {
    expect(explainInvalidRedirect('http://localhost:3000/', { ...anyOrigin, productionMode: true })).toBe(notHttps)
  })

  test('must have one of the listed origins', () => {
    const rules = { productionMode: true, origins: ['https://app.example.com'] }
    expect(explainInvalidRedirect('https://app.example.com/billing', rules)).toBeUndefined()
    for (const foreign of [
      'https://app.example.com:444/',
      'https://example.com/',
      'https://app.example.com.evil.example/',
    ])
      expect(explainInvalidRedirect(foreign, rules)).toBe('must have an origin that this service may send to')
  })

  test('is kept as it was sent', () => {
    expect(redirectTarget(anyOrigin).parse('https://App.example.com')).toBe('https://App.example.com')
  })
})
