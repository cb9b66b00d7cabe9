import { endLeftBehind } from '../../workflows/scrapers/messages.ts'
import type { World } from '../world/world.ts'
import { createScrapersApi } from './scrapers-api.ts'

type Scenario = { play: (world: World) => Promise<string> }

const playScrape =
  (profileUrls: Record<string, string>, isCancelled = false): Scenario['play'] =>
  async (world) => {
    const api = createScrapersApi(() => world)
    const payer = await world.makeAccount({ credits: 1000 })
    const { runId } = await api.start(payer, await api.makeArtistWith(payer, profileUrls))
    if (isCancelled) await world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key: payer.key })
    await api.untilEnded(payer, runId)
    return runId
  }

/** Runs a batch whose workflow is terminated and whose records a sweep ends. */
const playTerminated = async (world: World): Promise<string> => {
  const api = createScrapersApi(() => world)
  const payer = await world.makeAccount({ credits: 1000 })
  const { runId } = await api.start(payer, await api.makeArtistWith(payer, { X: 'https://x.com/hanging9' }))
  await api.untilProviderRun(runId)
  await api.loseWorkflow(runId)
  await api.untilEnded(payer, runId)
  return endLeftBehind('endScrapeLeftBehind').id({ runId, isCancelled: false })
}

/** Scenarios of the scrape workflows, for the history recorder. */
export const scraperScenarios: Record<string, Scenario> = {
  'scrape-socials': { play: playScrape({ X: 'https://x.com/recorded1', VIDEO: 'https://youtube.com/@recorded1' }) },
  'scrape-socials-failed': {
    play: playScrape({ X: 'https://x.com/failing1', VIDEO: 'https://youtube.com/@garbage1' }),
  },
  'end-scrape-left-behind': { play: playTerminated },
  'scrape-socials-cancelled': { play: playScrape({ X: 'https://x.com/hanging1' }, true) },
}
