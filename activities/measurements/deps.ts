import type { ScraperDeps } from '../jobs/scraper-runs.ts'
import type { ValuationDeps } from '../valuation/deps.ts'

export type MeasurementDeps = ScraperDeps & Pick<ValuationDeps, 'streaming' | 'catalogs'>

/** Identifies a chunk in a workflow: the run id of its job, and its number, from 0. */
export type ChunkIds = { runId: string; chunk: number }
