import type { ActivityDeps } from '../deps.ts'

export type MeasurementDeps = Pick<
  ActivityDeps,
  'db' | 'scraper' | 'scraperSlots' | 'streaming' | 'catalogs' | 'platform' | 'log'
>

/** Identifies a chunk in a workflow: the run id of its job, and its number, from 0. */
export type ChunkIds = { runId: string; chunk: number }
