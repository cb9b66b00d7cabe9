import { randomUUID } from 'node:crypto'
import { createEmbeddedScraper, type EmbeddedRun } from '../../../providers/scraper/embedded/index.ts'
import { createApifyScraper } from '../../../providers/scraper/apify/index.ts'
import { startApify } from '../vendors/apify.ts'
import { describeScraper } from './contract.ts'

const serverSecret = 'server-secret'

describeScraper('the embedded provider', async () => {
  const runs = new Map<string, EmbeddedRun>()
  const find = async (id: string) => [...runs.values()].find((run) => run.id === id)
  const store = {
    insert: async ({ key, request }: { key: string; request: EmbeddedRun['request'] }) => {
      const run = runs.get(key) ?? { id: randomUUID(), request, isAborted: false }
      runs.set(key, run)
      return run
    },
    findByKey: async (key: string) => runs.get(key),
    find,
    abort: async (id: string) => {
      const run = await find(id)
      if (run !== undefined) run.isAborted = true
    },
  }
  return { scraper: createEmbeddedScraper({ store, serverSecret }), serverSecret, close: async () => {} }
})

describeScraper('Apify', async () => {
  const apify = await startApify()
  return { scraper: createApifyScraper(apify.options), serverSecret, close: () => apify.close() }
})
