import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { finishSlices } from '../../../domain/site/slices.ts'
import { checkRegistry, createRegistry, type Registry } from '../../../domain/site/content/registry.ts'

const siteUrl = 'https://site.example'
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
const facts = new Map([['plan.free.credits', '3,330,000']])
const bodyText = 'What a reader needs to know about this subject before the first use of it.'
const page = (title: string, body: string, more = ''): string =>
  `---\ntitle: ${title}\ndescription: ${bodyText}\n${more}---\n${body}\n`
const guide = { path: 'docs/guide.md', text: page('A guide', bodyText) }

const load = (files: { path: string; text: string }[]): Registry => {
  const registry = finishSlices(createRegistry(files, [], { siteUrl, facts, digest }))
  checkRegistry(registry, [], { siteUrl, otherPaths: ['/search'] })
  return registry
}
const renderBody = (body: string): string =>
  load([guide, { path: 'docs/a/b.md', text: page('B', body) }]).entries[0]?.markdown ?? ''

describe('a content file', () => {
  test('derives its id and URL from its path', () => {
    const files = ['page/index', 'page/pricing', 'docs/index', 'docs/run/settings', 'playbook/x', 'blog/y']
    const body = `${bodyText}\n\n## Next steps\n\n- [Search](/search)`
    const more = 'category: news\nauthor: The team\npublishedAt: 2026-11-23\n'
    const { entries } = load(
      files.map((path) => ({ path: `${path}.md`, text: page(path, body, path.startsWith('blog') ? more : '') })),
    )
    expect(entries.map(({ header }) => [header.id, header.url.slice(siteUrl.length), header.representation])).toEqual([
      ['blog:y', '/blog/y', 'full'],
      ['docs:index', '/docs', 'full'],
      ['docs:run/settings', '/docs/run/settings', 'full'],
      ['page:/', '/', 'summary'],
      ['page:/pricing', '/pricing', 'summary'],
      ['playbook:x', '/playbooks/x', 'full'],
    ])
    expect(entries[0]?.header).toMatchObject({ publishedAt: '2026-11-23' })
    expect(entries[0]?.markdown).toContain('Author: The team\n\nPublished: 2026-11-23')
    expect(entries[3]?.markdown).toContain(`This is a summary. The full page is at ${siteUrl}/.`)
  })

  test('has only absolute URLs in its links', () => {
    const text = renderBody(
      '[a](../guide.md#x) [b](/search?query=x) [c](#d) [e](https://e.example) [f](javascript:alert) [g](mailto:g@g.example)',
    )
    expect(text).toContain(
      `[a](${siteUrl}/docs/guide#x) [b](${siteUrl}/search?query=x) [c](${siteUrl}/docs/a/b#d) [e](https://e.example) f [g](mailto:g@g.example)`,
    )
  })

  test('has no HTML tags, but keeps code unchanged', () => {
    const code = '```html\n<b onclick="x">[a](b.md)</b> {{no}}\n```'
    const text = renderBody(`An <b>inline</b> <script>x</script> \`<i>\` <https://a.example>.\n\n~~~\n<p>\n~~~`)
    expect(text).toContain('An inline x `<i>` <https://a.example>.\n\n~~~\n<p>\n~~~')
    expect(() => renderBody(code)).toThrow('unknown fact: no')
    expect(renderBody(code.replace('{{no}}', ''))).toContain('<b onclick="x">[a](b.md)</b>')
  })

  test('contains values from the code in place of its placeholders', () => {
    expect(renderBody('Refills up to {{plan.free.credits}} credits.')).toContain('up to 3,330,000 credits')
  })

  test('is indexed for search by its visible text', () => {
    const body = `## How?\n\nOne **two** \`three\` &amp; four.\n\n- [a](/search)\n- [b](/search)\n\n- five\n\n|h|i|\n|-|-|\n|j|k|\n\n\`\`\`\nsix\n\`\`\``
    const [entry] = load([guide, { path: 'docs/a.md', text: page('A', body) }]).entries
    expect(entry?.plain).toBe('How? One two three & four. five. h, i. j, k.')
    expect(entry?.headings).toBe('How?')
  })

  test('is omitted if it is a draft', () => {
    expect(load([guide, { path: 'docs/d.md', text: page('D', bodyText, 'draft: true\n') }]).entries).toHaveLength(1)
  })

  test.each([
    ['docs/Upper.md', page('A', bodyText), 'not a valid URL path'],
    ['docs/a.md', 'no front', 'the front matter is missing'],
    ['docs/a.md', page('A', bodyText, 'color: red\n'), 'color'],
    ['docs/a.md', page('A', bodyText, 'author: x\n'), 'only posts'],
    ['docs/a.md', page('A guide', bodyText), 'another entry has the same title'],
    ['docs/a.md', page('A', '[x](missing.md)'), 'a broken link'],
    ['docs/a.md', page('A', '[x](/missing)'), 'a broken link'],
    ['blog/a.md', page('A', bodyText), 'a post has'],
    ['page/a.md', page('A', bodyText), 'without next steps'],
    ['docs/a.md', `---\ntitle: A\ndescription: too short\n---\n${bodyText}`, 'description'],
    ['docs/a.md', page('A', bodyText, 'publishedAt: 2026-11-23\nupdatedAt: 2026-11-22\n'), 'before publishedAt'],
  ])('is rejected (case %#): %s', (path, text, error) => {
    expect(() => load([guide, { path, text }])).toThrow(error)
  })
})

test('the version depends on the content, not on the order of the files', () => {
  const other = { path: 'docs/other.md', text: page('Another', bodyText) }
  const changed = { ...other, text: other.text.replace('before', 'after') }
  expect(load([guide, other]).version).toMatch(/^[0-9a-f]{12}$/)
  expect(load([other, guide]).version).toBe(load([guide, other]).version)
  expect(load([guide, changed]).version).not.toBe(load([guide, other]).version)
})
