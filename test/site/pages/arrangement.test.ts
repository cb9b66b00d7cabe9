import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadFigures } from '../../../api/site/load-figures.ts'
import { startSite, siteUrl } from './pages-site.ts'

let site: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => (site = await startSite()))
afterAll(() => site.close())

const read = async (path: string): Promise<string> => {
  const response = await fetch(site.url + path, { headers: { accept: 'text/html' } })
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}
/** Returns the text from the first `opening` to the next `closing`. */
const extract = (text: string, opening: string, closing: string): string => {
  const from = text.indexOf(opening)
  return text.slice(from, text.indexOf(closing, from))
}
const listLinks = (text: string): string[] => [...text.matchAll(/<a[^>]* href="([^"]+)"/g)].map(([, href = '']) => href)

describe('a page of the documentation', () => {
  test('has a sidebar in the order of the index, with short titles and the version', async () => {
    const side = extract(await read('/docs/quickstart'), '<nav class="side"', '</nav>')
    expect(listLinks(side)).toEqual([
      '/docs',
      '/docs/api-reference',
      '/docs/quickstart',
      '/docs/streaming-and-resume',
      '/docs/hostile',
    ])
    expect(side).toContain('Agents and chats')
    expect(side).toContain('Version 1.2.3')
    expect(side).toContain('href="/docs/quickstart" aria-current="page"')
  })

  test('lists its headings, and each heading links to itself', async () => {
    const text = await read('/docs/quickstart')
    expect(text).toContain('<h2 id="what-a-client-does"><a class="anchor" href="#what-a-client-does">')
    expect(listLinks(extract(await read('/docs/streaming-and-resume'), '<nav class="contents"', '</nav>'))).toContain(
      '#what-a-client-does-12',
    )
  })

  test('links to the previous and the next page and to its Markdown', async () => {
    const text = await read('/docs/streaming-and-resume')
    expect(listLinks(extract(text, '<nav class="neighbors"', '</nav>'))).toEqual(['/docs/quickstart', '/docs/hostile'])
    expect(text).toContain('href="/docs/streaming-and-resume.md"')
    expect((await fetch(`${site.url}/docs/streaming-and-resume.md`)).status).toBe(200)
  })

  test('highlights code and has a button that copies it, which is hidden without scripts', async () => {
    const code = extract(await read('/docs/quickstart'), '<div class="code">', '</pre>')
    expect(code).toContain('<span class="hljs-string">')
    expect(code).toMatch(/<button[^>]* data-copy hidden>Copy</)
  })

  test('for an operation shows its method and the other operations of its area', async () => {
    const text = await read('/docs/api-reference/chat/send-turn')
    expect(text).toContain('<span class="method" data-method="POST">POST</span>')
    expect(listLinks(extract(text, '<nav class="side"', '</nav>'))).toEqual([
      '/docs',
      '/docs/api-reference',
      '/docs/api-reference/chat/send-turn',
    ])
  })
})

describe('the generated lists', () => {
  test('/blog has every post, newest first, with its date', async () => {
    const text = await read('/blog')
    expect(listLinks(extract(text, '<main', '</main>'))).toEqual(['/blog/streams', '/blog/owners'])
    expect(text).toContain('<time datetime="2026-11-23">November 23, 2026</time>')
  })

  test('/playbooks has every playbook, and each playbook links to the next playbook', async () => {
    expect(listLinks(extract(await read('/playbooks'), '<main', '</main>'))).toEqual([
      '/playbooks/weekly-report',
      '/playbooks/first-valuation',
    ])
    expect(listLinks(extract(await read('/playbooks/weekly-report'), '<nav class="neighbors"', '</nav>'))).toEqual([
      '/playbooks/first-valuation',
    ])
  })

  test('a post shows its author and date only once', async () => {
    const text = await read('/blog/streams')
    expect(text.match(/The team/g)).toHaveLength(1)
    expect(text).not.toContain('Published: ')
  })
})

describe('the home page', () => {
  test('shows the recorded answer, the peer comparison with its source, the commands and a link to the console', async () => {
    const text = await read('/')
    expect(text).toMatch(
      /<del class="at-3"><span class="word at-1">Three <\/span><span class="word at-2">of <\/span><\/del\s*>/,
    )
    expect(text).toContain('<strong>220 ms</strong>')
    expect(text).toContain('the rest is lost')
    expect(text).toMatch(/<td data-best>686 ms<\/td>/)
    expect(text).toContain('docs/change/bench.md')
    expect(text).toMatch(/<code>npm start<\/code>[\s\S]*<code>npm test<\/code>/)
    expect(text).toContain('href="https://api.example/console">Open the console</a>')
  })

  test('has a link preview image and icons from its own origin', async () => {
    const text = await read('/')
    const images = [...text.matchAll(/(?:content|href)="([^"]+\.(?:png|svg|ico))"/g)].map(([, url = '']) => url)
    expect(images).toEqual([`${siteUrl}/assets/card.png`, '/assets/icon.svg', '/favicon.ico', '/assets/touch-icon.png'])
    for (const image of images) {
      const response = await fetch(site.url + new URL(image, siteUrl).pathname)
      expect([image, response.status]).toEqual([image, 200])
      expect(response.headers.get('content-type')).toMatch(/^image\//)
    }
  })
})

describe('the figures on the home page', () => {
  test('for the peers equal those of the benchmark report', async () => {
    const report = readFileSync(new URL('../../../docs/change/bench.md', import.meta.url), 'utf8')
    const { measuredOn, peers, rows } = (await loadFigures()).peers
    expect(report).toContain(`Measured on: ${measuredOn}`)
    for (const { name, versions } of peers) expect(report).toContain(`- **${name}** (${versions}): `)
    const lines = report.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    for (const { title, cells } of rows) {
      const reported = lines.find(([, first]) => first === title)?.slice(2, -1) ?? []
      // The report adds the spread in parentheses.
      expect([title, cells.map(({ text }) => text)]).toEqual([
        title,
        reported.map((cell) => cell.replace(/ \([\d.,]+ \.\. [\d.,]+\)/, '')),
      ])
    }
  })

  test('for the recorded answer match the animation, which plays for at most five seconds', async () => {
    const { killedMs, endedMs, words } = (await loadFigures()).recording
    expect(endedMs).toBeLessThanOrEqual(5000)
    const [lostWords, repeatedWords] = [1, 2].map((attempt) => words.filter((word) => word.attempt === attempt)) as [
      typeof words,
      typeof words,
    ]
    expect(lostWords.length).toBeGreaterThan(0)
    expect(repeatedWords.every(({ atMs }) => atMs > killedMs)).toBe(true)
    expect(repeatedWords.slice(0, lostWords.length).map(({ text }) => text)).toEqual(lostWords.map(({ text }) => text))
  })
})
