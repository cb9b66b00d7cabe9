import { describe, expect, test } from 'vitest'
import { inertText, invitationMail } from '../../../domain/accounts/mails.ts'
import { renderMail } from '../../../domain/mail/render.ts'
import { clearableUrl, keepWebUrl, storedUrl } from '../../../domain/fields/stored-url.ts'
import { agentKeyName, isAgentAddress, verificationCode } from '../../../domain/accounts/verification.ts'

describe('an agent address', () => {
  test.each([
    ['agent+a@agents.example', true],
    [`agent+${'a'.repeat(64)}@agents.example`, true],
    ['agent+a.b-c_9@agents.example', true],
    [`agent+${'a'.repeat(65)}@agents.example`, false],
    ['agent+@agents.example', false],
    ['agent+a+b@agents.example', false],
    ['agent@agents.example', false],
    ['xagent+a@agents.example', false],
    ['agent+a@other.example', false],
    ['agent+a@x.agents.example', false],
  ])('is recognized: %s, %s', (email, expected) => {
    expect(isAgentAddress(email, 'agents.example')).toBe(expected)
  })

  test('is recognized only if an agent domain is configured', () => {
    expect(isAgentAddress('agent+a@agents.example', undefined)).toBe(false)
  })

  test('receives a key whose name contains the day in UTC', () => {
    expect(agentKeyName(new Date('2031-02-03T23:59:59.999Z'))).toBe('Agent 2031-02-03')
  })
})

test.each([
  ['123456', true],
  ['000000', true],
  ['12345', false],
  ['1234567', false],
  ['12345a', false],
  ['١٢٣٤٥٦', false],
  [' 123456', false],
  ['123456\n', false],
])('the code %j is valid: %s', (code, expected) => {
  expect(verificationCode.safeParse(code).success).toBe(expected)
})

describe('a stored URL', () => {
  test.each(['https://example.com/a', 'HTTP://example.com', `https://example.com/${'x'.repeat(2028)}`])(
    'can be %s',
    (url) => {
      expect(storedUrl.parse(url)).toBe(url)
    },
  )

  test.each(['', 'x', 'ftp://a.b', 'javascript:alert(1)', 'https://', 'https://a b', 'https://a\n.b', 'https:\\\\a'])(
    'cannot be %j',
    (url) => {
      expect(storedUrl.safeParse(url).success).toBe(false)
    },
  )

  test('becomes null if it is set to an empty string, and is shown as null unless it is a web address', () => {
    expect(clearableUrl.parse('')).toBeNull()
    expect(keepWebUrl('javascript:alert(1)')).toBeNull()
    expect(keepWebUrl(null)).toBeNull()
    expect(keepWebUrl('https://example.com')).toBe('https://example.com')
  })
})

test('the name of an organization is plain text in its emails', () => {
  const name = 'A\r\nBcc: x@example.com <b> [l](https://example.com) **b** www.example.com'
  const { html } = renderMail({ subject: 'x', text: inertText(name) })
  expect(html).not.toMatch(/<a |<b>/)
  expect(html).toContain('[l](https://example.com) **b** www.example.com')
  const plain = 'A\r\nBcc <b> [l] **b** & "co"'
  const { subject, markdown } = invitationMail(plain)
  expect(subject).toBe('Invitation to A Bcc <b> [l] **b** & "co"')
  const rendered = renderMail({ subject, text: markdown })
  expect(rendered.html).not.toMatch(/<a |<b>/)
  expect(rendered.text.split('\n').filter((line) => line.includes('Bcc'))).toEqual([
    expect.stringContaining('member of'),
  ])
  expect(inertText("Rock & Roll, Ltd. (1999) - it's #1")).toBe("Rock & Roll, Ltd. (1999) - it's #1")
})

test.each([
  ['Our label', true],
  ["Rock & Roll, Ltd. (1999) - it's #1", true],
  ['St. Vincent', true],
  ['Émile: Œuvres', true],
  ['evil.example', false],
  ['https://evil.example', false],
  ['hxxps:evil', false],
  ['pay me at me@evil', false],
  ['evil\u3002example', false],
  ['evil\uFF0Eexample', false],
  ['evil\u200D.example', false],
  ['//evil', false],
])('the name %j is used in an email: %s', (name, named) => {
  const neutral = invitationMail()
  const mail = invitationMail(name)
  expect(neutral.subject).toBe('Invitation to an organization')
  if (named) expect(mail.subject).toBe(`Invitation to ${name}`)
  else expect(mail).toEqual(neutral)
})
