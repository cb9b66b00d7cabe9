import { describe, expect, test } from 'vitest'
import { isReadableHtml } from '../../../domain/pages/nesting.ts'
import { renderMail } from '../../../domain/mail/render.ts'
import { emailRequest } from '../../../domain/mail/request.ts'
import { cleanHtml } from '../../../domain/mail/sanitize.ts'
import { deriveSubject } from '../../../domain/mail/subject.ts'

describe('the default subject', () => {
  test.each([
    [{ subject: ' Own ', text: 'line' }, 'Own'],
    [{ subject: '   ', text: '\n\n## Heading ##\nmore' }, 'Heading'],
    [{ text: '#hashtag first' }, '#hashtag first'],
    [{ text: '#\n# \nwords' }, 'words'],
    [{ text: '  \r\n\tIndented\twords ' }, 'Indented words'],
    [{ text: '', plainHtml: '\n\nFrom the html\nmore' }, 'From the html'],
    [{ text: 'x'.repeat(200) }, 'x'.repeat(120)],
    [{ text: '😀'.repeat(200) }, '😀'.repeat(120)],
    [{ text: 'a\u0007b' }, 'a b'],
    [{ text: `${' '.repeat(500_000)}late` }, 'late'],
    [{ text: ' \n ' }, 'Message from your workspace'],
    [{}, 'Message from your workspace'],
  ])('for %j is %s', (input, subject) => {
    expect(deriveSubject(input)).toBe(subject)
  })
})

describe('third-party HTML', () => {
  test.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<SCRIPT SRC=//x>a</SCRIPT>b', 'b'],
    ['<style>p{background:url(x)}</style>a', 'a'],
    ['<link rel=stylesheet href=https://x>a', 'a'],
    ['<iframe src="https://x"></iframe><object data=x></object><embed src=x>a', 'a'],
    ['<form action="https://x"><input name=a><button>b</button></form>', 'b'],
    ['<svg><a xlink:href="javascript:x()">a</a></svg>', '<a>a</a>'],
    ['<math><mtext><img src=x onerror=y></mtext></math>', ''],
    ['<p onclick="x()" id=a class=b>a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href=" jav\u0009ascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="&#106;avascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="data:text/html,x">a</a>', '<a>a</a>'],
    ['<a href="//x.example">a</a>', '<a>a</a>'],
    ['<a href="/relative">a</a>', '<a>a</a>'],
    ['<a href="mailto:a@example.com">a</a>', '<a href="mailto:a@example.com" rel="noopener noreferrer">a</a>'],
    ['<a href="http://x.example">a</a>', '<a href="http://x.example" rel="noopener noreferrer">a</a>'],
    ['<img src="http://x.example/a.png">', ''],
    ['<img src="data:image/png;base64,AA==">', ''],
    ['<img src="https://x.example/a.png" onerror=x>', '<img src="https://x.example/a.png" />'],
    ['<p style="color:red;background:url(https://x)">a</p>', '<p style="color:red">a</p>'],
    ['<p style="width:expression(alert(1))">a</p>', '<p>a</p>'],
    ['<p style="color:rgb(1, 2, 3);position:fixed">a</p>', '<p style="color:rgb(1, 2, 3)">a</p>'],
    ['<base href="https://x"><meta http-equiv=refresh content="0;url=x">a', 'a'],
    ['<!-- <script> -->a<![CDATA[b]]>', 'a'],
    ['<noscript><p title="</noscript><img src=x onerror=y>">', '<p></p>'],
    ['<p>a & b < c</p>', '<p>a &amp; b &lt; c</p>'],
    ['<b>unclosed', '<b>unclosed</b>'],
  ])('%s becomes %s', (html, cleaned) => {
    expect(cleanHtml(html)).toBe(cleaned)
  })
})

const findBody = (html: string): string => /overflow-wrap:anywhere">\n([^]*?)\n<\/div>/.exec(html)?.[1] ?? ''

describe('an email', () => {
  test.each([
    ['# Head\n\n- one\n- two', '<h1>Head</h1>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n'],
    ['a\nb', '<p>a<br />\nb</p>\n'],
    ['[x](javascript:alert(1))', '<p><a>x</a></p>\n'],
    ['![x](http://x.example/a.png)', '<p></p>\n'],
    ['<script>alert(1)</script>', ''],
    ['<img src=x onerror=alert(1)>', ''],
    ['`<script>`', '<p><code>&lt;script&gt;</code></p>\n'],
    ['a\n~~~js\n*b* <c>\n```\n~~~~\nd', '<p>a</p>\n<pre><code>*b* &lt;c&gt;\n```\n</code></pre>\n<p>d</p>\n'],
    ['```\n<script>x', '<pre><code>&lt;script&gt;x</code></pre>\n'],
    [
      '|a|b|\n|-|-|\n|1|2|',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n',
    ],
  ])('renders the Markdown %j', (text, body) => {
    expect(findBody(renderMail({ text }).html)).toBe(body)
  })

  test('has a fixed layout of at most 560 px with inline styles and a footer', () => {
    const { html, text } = renderMail({ text: 'a', footer: { artistName: 'A <b>' } })
    expect(html.match(/max-width:560px/g)).toHaveLength(2)
    expect(html).not.toMatch(/<style|<link|class=/)
    expect(html).toContain('Sent by your Backline workspace for A &lt;b&gt;.')
    expect(text).toBe('a\n\n-- \nSent by your Backline workspace for A <b>.\n')
  })

  test('has a plain-text part with the same text', () => {
    const html =
      '<h1>Head</h1><p>One &amp; <a href="https://x.example/?a=1&amp;b=2">two</a></p><ul><li>a</li><li>b</li></ul><table><tr><td>1</td><td>2</td></tr></table><script>no</script>'
    expect(renderMail({ html, text: 'other' }).text.split('\n-- \n')[0]).toBe(
      'Head\n\nOne & two (https://x.example/?a=1&b=2)\n\n- a\n- b\n\n1 | 2\n',
    )
  })

  test.each([
    [' # Head \n', 'Head'],
    ['Your code is **431252**.', 'Your code is 431252.'],
    ['*a* __b__ ~~c~~ `d_e` \\*f\\*', 'a b c d_e *f*'],
    ['a\nb\n\nc', 'a\nb\n\nc'],
    ['[docs](https://x.example/?a=1&b=2)', 'docs (https://x.example/?a=1&b=2)'],
    ['https://x.example and a@example.com', 'https://x.example and a@example.com'],
    ['[x](javascript:alert(1)) <script>y</script>', 'x'],
    ['![cover](https://x.example/a.png)', 'cover'],
    ['- a\n  - **b**\n- c', '- a\n  - b\n- c'],
    ['3. a\n4. b', ' 3. a\n 4. b'],
    ['> a\n> b', '> a\n> b'],
    ['```js\nif (a) {\n  b *c*\n}\n```', 'if (a) {\n  b *c*\n}'],
    ['|a|b|\n|-|-|\n|**1**|2|', 'a | b\n1 | 2'],
    ['1 < 2 &amp; 3', '1 < 2 & 3'],
  ])('with the Markdown %j has the plain part %j', (text, plain) => {
    expect(renderMail({ text }).text.split('\n\n-- \n')[0]).toBe(plain)
  })

  test('without a text states that it is empty', () => {
    const mail = renderMail({ text: ' ', html: '\n' })
    expect(findBody(mail.html)).toBe('<p>This message has no text.</p>\n')
    expect(mail.text).toContain('This message has no text.')
  })

  test('is deterministic', () => {
    expect(renderMail({ text: 'a *b*' })).toEqual(renderMail({ text: 'a *b*' }))
  })
})

const elements = (html: string): number => html.match(/<[a-z]/g)?.length ?? 0
const table = (columns: number, rows: number): string =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'|a|\n'.repeat(rows)}`

// Short texts that would produce a large output.
const amplifyingTexts = {
  'padded rows': table(500, 2000),
  'tables of padded rows': `${table(500, 100)}\n`.repeat(20),
  'a repeated address': `[a]: https://x.example/${'b'.repeat(50_000)}\n\n${'[a] '.repeat(10_000)}`,
  'a repeated title': `[a]: https://x.example "${'b'.repeat(50_000)}"\n\n${'[a] '.repeat(10_000)}`,
  items: '- a\n'.repeat(40_000),
  long: 'word '.repeat(100_000),
}

describe('text whose HTML would be too large for an email', () => {
  test.each(Object.entries(amplifyingTexts))('is sent without formatting: %s', (_, text) => {
    const { html } = renderMail({ text })
    expect(findBody(html)).not.toMatch(/<(?:td|a|li)\b/)
    expect(elements(html)).toBeLessThan(5100)
    expect(html.length).toBeLessThan(3 * text.length)
  })

  test('is rendered with a limited nesting depth', () => {
    for (const text of ['> '.repeat(50_000), '>'.repeat(100_000), '+ '.repeat(50_000), '1. '.repeat(30_000)])
      expect(elements(renderMail({ text }).html)).toBeLessThan(50)
  })

  test('is distinguished from long ordinary text', () => {
    const paragraph = 'Some *words* with `code`, [a link](https://x.example) and **more**.\n'
    const list = Array.from({ length: 100 }, (_, n) => `${n}. **Song ${n}**: _streams_ ${n}\n`).join('')
    const code = `\`\`\`py\n${'def a_b(c_d):\n    return c_d["e_f"] * 2\n'.repeat(200)}\`\`\`\n`
    const rules = `${'-'.repeat(60)}\n\n${'* '.repeat(30)}\n\n> > quoted\n> - a\n`
    const shown = [`${paragraph}\n`.repeat(1000), list, rules, table(10, 500)].map((text) =>
      elements(renderMail({ text }).html),
    )
    // The layout itself contains seven elements.
    expect(shown).toEqual([7 + 5000, 7 + 1 + 300, 7 + 2 + 5, 7 + 3 + 501 + 5010])
    expect(findBody(renderMail({ text: `*a*\n\n${code}*b*` }).html)).toMatch(
      /^<p><em>a<\/em><\/p>\n<pre><code>def a_b[^]*<p><em>b<\/em><\/p>\n$/,
    )
  })

  test('includes deeply nested HTML, which is reduced to its text', () => {
    for (const html of ['<div>', '<a href="https://x">', '<b></i>'].map((tags) => tags.repeat(50_000))) {
      expect(isReadableHtml(html)).toBe(false)
      expect(renderMail({ html: `${html}words` }).html).toContain('words')
    }
    expect(isReadableHtml('<p>a<br>b</p>'.repeat(10_000))).toBe(true)
  })
})

const isAccepted = (body: unknown): boolean => emailRequest.safeParse(body).success

describe('the fields of POST /api/emails', () => {
  test.each([
    'a@example.com',
    ' A@Example.COM ',
    "o'hara+x@example.co.uk",
    'u@bücher.example',
    '!#$%&*/=?^_`{|}~@example.com',
  ])('accept the address %s', (address) => {
    expect(isAccepted({ to: [address], cc: [address] })).toBe(true)
  })

  test.each(
    [
      '',
      'a',
      'a@',
      '@example.com',
      'a b@example.com',
      'A <a@example.com>',
      '<a@example.com>',
      '"a b"@example.com',
      'a@example.com,b@example.com',
      'a,b@example.com',
      'a@example.com;',
      'group:a@example.com;',
      'a@example.com (comment)',
      'a(c)@example.com',
      'a@example.com\n',
      'a\u0000@example.com',
      'a\u007F@example.com',
      'a@[127.0.0.1]',
      'a@-example.com',
      'a@exa_mple.com',
      `${'a'.repeat(250)}@example.com`,
    ].filter((address) => address.trim() === address || address === ''),
  )('reject the address %j', (address) => {
    expect(isAccepted({ to: [address] })).toBe(false)
  })

  test.each([
    { 'X-A': 'a' },
    { 'x-lower': '' },
    { 'In-Reply-To': '<a@b>', References: '<a@b> <c@d>', 'Auto-Submitted': 'auto-generated' },
    { 'list-unsubscribe': '<mailto:a@b>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    { 'X-A': 'ü'.repeat(998) },
    Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, 'a'])),
  ])('accept the headers %j', (headers) => {
    expect(isAccepted({ headers })).toBe(true)
  })

  test.each([
    { Bcc: 'a@b' },
    { From: 'a@b' },
    { To: 'a@b' },
    { Subject: 'a' },
    { 'Reply-To': 'a@b' },
    { 'Content-Type': 'text/html' },
    { 'Message-ID': '<a@b>' },
    { DKIM: 'a' },
    { 'X A': 'a' },
    { 'X-A:': 'a' },
    { 'X-Ä': 'a' },
    { [`X-${'a'.repeat(63)}`]: 'a' },
    { '': 'a' },
    { 'X-A': 'a', 'x-a': 'b' },
    { 'X-A': 'a\nBcc: b@c' },
    { 'X-A': 'a\rb' },
    { 'X-A': 'a\u0001' },
    { 'X-A': 'a\u0085b' },
    { 'X-A': 'a'.repeat(999) },
    { 'X-SMTPAPI': '{}' },
    { 'X-SES-Configuration-Set': 'a' },
    { 'x-mailgun-variables': '{}' },
    { 'X-PM-Tag': 'a' },
    { 'X-Resend-Anything': 'a' },
    { 'X-MC-BccAddress': 'a@b' },
    Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'a'])),
  ])('reject the headers %j', (headers) => {
    expect(isAccepted({ headers })).toBe(false)
  })
})
