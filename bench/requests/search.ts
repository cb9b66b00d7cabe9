import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { finishSlices } from '../../domain/site/slices.ts'
import type { Entry } from '../../domain/site/content/entry.ts'
import { createPublicContent, type PublicContent } from '../../domain/site/public-content.ts'
import { quantile, measureSpread, type Bench, type Row } from '../measure.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const entryCount = 1000

/** Measures the search of the public site with more content than the site has. */
export const search: Bench = {
  name: 'search',
  run: async ({ baseUrl }, { quick }) => {
    const texts = await readTexts(baseUrl)
    const entries = createEntries(texts)
    const vocabulary = texts.flatMap(listSentences).flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? [])
    const [rounds, queryCount] = quick ? [2, 100] : [5, 400]
    const builds: number[] = []
    const heaps: number[] = []
    let content: PublicContent | undefined
    for (let round = 0; round < rounds; round++) {
      content = undefined
      const before = readHeapMegabytes()
      const begin = performance.now()
      content = finishSlices(
        createPublicContent(entries, { serviceName: 'Backline', contentVersion: '0'.repeat(12), digest }),
      )
      builds.push(performance.now() - begin)
      heaps.push(readHeapMegabytes() - before)
    }
    const rows: Row[] = [
      {
        name: `index of ${entryCount} entries, time to build`,
        ...measureSpread(builds),
        unit: 'ms',
        aim: { atMost: 1000 },
        how: `an index over ${entryCount} generated entries with the sentences and lengths of the site's entries, ${Math.round(vocabulary.length / texts.length)} words each on average; the first build is cold`,
      },
      {
        name: `index of ${entryCount} entries, memory`,
        ...measureSpread(heaps),
        unit: 'MB',
        aim: { atMost: 64 },
        how: 'live heap after a garbage collection with the index, minus the live heap before it was built',
      },
    ]
    for (const [name, createQuery] of Object.entries(queryKinds)) {
      const percentiles = Array.from({ length: rounds }, (_, round) => {
        const random = createRandom(round + 1)
        const queries = Array.from({ length: queryCount }, () => createQuery(() => pick(random, vocabulary)))
        return p99((query) => content?.search({ query, limit: 10 }), queries)
      })
      rows.push({
        name: `search, ${name}, p99`,
        ...measureSpread(percentiles),
        unit: 'ms',
        aim: { atMost: 10 },
        how: `99th percentile of ${queryCount} different queries, each with ten results and their excerpts`,
      })
    }
    return rows
  },
}

/** Kinds of expensive queries. Their words have the same frequencies as in the texts. */
const queryKinds: Record<string, (next: () => string) => string> = {
  'three words': (next) => `${next()} ${next()} ${next()}`,
  '240 characters of known words': (next) => joinWords(next, ' '),
  '240 characters of typos': (next) => joinWords(() => `${next().slice(0, 2)}x${next().slice(2)}`, ' '),
  '240 characters in one word': (next) => joinWords(next, ''),
}

function joinWords(next: () => string, separator: string): string {
  return Array.from({ length: 240 }, next).join(separator).slice(0, 240).trim()
}

function p99(search: (query: string) => void, queries: readonly string[]): number {
  const times = queries.map((query) => {
    const begin = performance.now()
    search(query)
    return performance.now() - begin
  })
  return quantile(times, 0.99)
}

/** Returns all texts of the running site as Markdown. */
async function readTexts(baseUrl: string): Promise<string[]> {
  const sitemap = await (await fetch(`${baseUrl}/sitemap.xml`)).text()
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
  return Promise.all(
    paths.map(async (path) => (await fetch(`${baseUrl}${path}`, { headers: { accept: 'text/markdown' } })).text()),
  )
}

/** Generates entries with the lengths of the texts and their sentences in random order, so that word frequencies match. */
function createEntries(texts: readonly string[]): Entry[] {
  const random = createRandom(7)
  const sentences = texts.flatMap(listSentences)
  return Array.from({ length: entryCount }, (_, index): Entry => {
    const ownSentences = listSentences(texts[index % texts.length] ?? '')
    const body = ownSentences.map(() => `${pick(random, sentences)} e${index}.`).join(' ')
    const title = `${(ownSentences[0] ?? '').slice(0, 60)} ${index}`
    const url = `https://site.example/docs/e${index}`
    return {
      header: {
        id: `docs:e${index}`,
        type: 'docs',
        title,
        description: body.slice(0, 150),
        url,
        representation: 'full',
      },
      markdown: body,
      keywords: pick(random, sentences).slice(0, 100),
      headings: body.slice(0, 200),
      plain: body,
    }
  })
}

/** Returns the sentences of a text without code and tables, which are not searched. */
function listSentences(text: string): string[] {
  return text
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/^\|.*$/gm, '')
    .split(/[.?!]\s|\n/)
    .filter((sentence) => /\w/.test(sentence))
}

function pick(random: () => number, list: readonly string[]): string {
  return list[Math.floor(random() * list.length)] ?? ''
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function readHeapMegabytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
