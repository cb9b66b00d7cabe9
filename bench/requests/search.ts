import { createHash } from 'node:crypto'
import type { Entry } from '../../domain/site/content/entry.ts'
import { createPublicContent, type PublicContent } from '../../domain/site/public-content.ts'
import { quantile, spreadOf, type Bench, type Row } from '../measure.ts'

const entryCount = 1000
const wordsOfEntry = 500
const vocabulary = 20_000

/** The search of the public site, over more content than there is. */
export const search: Bench = {
  name: 'search',
  run: async (_stack, { quick }) => {
    const entries = makeEntries()
    const rounds = quick ? 2 : 5
    const builds: number[] = []
    const heaps: number[] = []
    let content: PublicContent | undefined
    for (let round = 0; round < rounds; round++) {
      content = undefined
      const before = heapMegabytes()
      const begun = performance.now()
      content = createPublicContent(entries, { serviceName: 'Backline', contentVersion: '0'.repeat(12), digest })
      builds.push(performance.now() - begun)
      heaps.push(heapMegabytes() - before)
    }
    const rows: Row[] = [
      {
        name: `index of ${entryCount} entries, time to build`,
        ...spreadOf(builds),
        unit: 'ms',
        aim: { atMost: 1000 },
        how: `an index over ${entryCount} made-up entries of ${wordsOfEntry} words each, out of ${vocabulary} words that are as frequent as in texts; the first time is a cold one`,
      },
      {
        name: `index of ${entryCount} entries, memory`,
        ...spreadOf(heaps),
        unit: 'MB',
        aim: { atMost: 64 },
        how: 'live heap after a collection, with the index, less what it was before',
      },
    ]
    for (const [name, queryOf] of Object.entries(kinds)) {
      const each = Array.from({ length: rounds }, (_, round) => p99(content, queryOf, round, quick ? 100 : 400))
      rows.push({
        name: `search, ${name}, p99`,
        ...spreadOf(each),
        unit: 'ms',
        aim: { atMost: 10 },
        how: `99th percentile over ${quick ? 100 : 400} different queries, ten results with their excerpts each`,
      })
    }
    return rows
  },
}

/** Queries by what is dear about them. */
const kinds: Record<string, (random: () => number) => string> = {
  'three words': (random) => words(random, 3).join(' '),
  '240 characters of known words': (random) => words(random, 80).join(' ').slice(0, 240).trim(),
  '240 characters of slips': (random) =>
    words(random, 80)
      .map((word) => `${word.slice(0, 2)}x${word.slice(2)}`)
      .join(' ')
      .slice(0, 240)
      .trim(),
  '240 characters in one word': (random) => words(random, 80).join('').slice(0, 240),
}

function p99(content: PublicContent | undefined, queryOf: (random: () => number) => string, round: number, count: number) {
  const random = randomOf(round + 1)
  const times = Array.from({ length: count }, () => {
    const query = queryOf(random)
    const begun = performance.now()
    content?.search({ query, limit: 10 })
    return performance.now() - begun
  })
  return quantile(times, 0.99)
}

function makeEntries(): Entry[] {
  const random = randomOf(7)
  return Array.from({ length: entryCount }, (_, at): Entry => {
    const text = (count: number): string => words(random, count).join(' ')
    const title = `${text(4)} ${at}`
    const url = `https://site.example/docs/e${at}`
    const description = `${text(14)}.`
    const body = Array.from({ length: wordsOfEntry / 10 }, () => `${text(10)}.`).join(' ')
    return {
      header: { id: `docs:e${at}`, type: 'docs', title, description, url, representation: 'full' },
      markdown: `# ${title}\n\n${body}`,
      keywords: text(8),
      headings: text(20),
      plain: `${description} ${body}`,
    }
  })
}

/** Words of a made-up language: the nth is n times rarer than the first. */
function words(random: () => number, count: number): string[] {
  return Array.from({ length: count }, () => wordAt(Math.floor(vocabulary ** random())))
}

const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'se', 'ti', 'vo', 'zan', 'der', 'pol']

function wordAt(place: number): string {
  let word = ''
  for (let rest = place + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length] ?? ''
  return word
}

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function heapMegabytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
