import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listRoutes } from '../../api/app.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { checkContent, loadContent, readPublicIds, type SiteContent } from '../../api/site/load-content.ts'
import { createWorld, type World } from '../world/world.ts'

/** Minimum number of words for each kind of text; texts of operations are generated. */
const minWords = { page: 120, docs: 300, blog: 400, playbook: 400 }

let world: World
let content: SiteContent
beforeAll(async () => {
  world = await createWorld({ worker: false })
  content = await loadContent(world.config, listRoutes(world.deps, createMetrics()))
})
afterAll(() => world.close())

const findFirst = (query: string) => content.search({ query, limit: 1 }).results[0]

describe('the public content', () => {
  test('has no duplicates, no short documents and no broken links', () =>
    checkContent(world.config, listRoutes(world.deps, createMetrics())))

  test('has exactly the recorded ids', async () => {
    const ids = content.entries.map(({ header }) => `${header.id}\n`)
    expect(ids.join('')).toBe(await readPublicIds())
  })

  test('has enough text in each entry', () => {
    const shortEntries = content.entries
      .filter(({ header }) => header.api === undefined && header.id !== 'docs:api-reference')
      .map(({ header, markdown }) => [header.id, markdown.split(/\s+/).length - minWords[header.type]] as const)
      .filter(([, surplus]) => surplus < 0)
    expect(shortEntries).toEqual([])
  })

  test('contains no details of a machine, no secrets and no drafts', () => {
    const revealingEntries = content.entries.filter(({ markdown }) =>
      /\/(?:root|work)\/|sk_[A-Za-z0-9]{20,}|\b192\.168\.\d|\b10(?:\.\d+){3}(?![\d/])|TODO|lorem/.test(markdown),
    )
    expect(revealingEntries.map(({ header }) => header.id)).toEqual([])
  })

  test('is found by the title of each entry and by the path of each operation', () => {
    const missing = content.entries.flatMap(({ header: { id, title, api } }) => [
      ...(findFirst(title)?.id === id ? [] : [`${id} by its title`]),
      ...(api === undefined || findFirst(`${api.method} ${api.path}`)?.id === id ? [] : [`${id} by its operation`]),
    ])
    expect(missing).toEqual([])
  })

  test('can be read in parts that together contain the whole text', () => {
    for (const { header, markdown } of content.entries) {
      let whole = ''
      for (let offset: number | null = 0; offset !== null;) {
        const part = content.read({ id: header.id, offset, maxLength: 4097 })
        whole += part.markdown
        offset = part.nextOffset
      }
      expect(whole).toBe(markdown)
    }
  })
})
