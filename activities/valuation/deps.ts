import type { ActivityDeps } from '../deps.ts'

export type ValuationDeps = Pick<ActivityDeps, 'db' | 'streaming' | 'catalogs' | 'log'>
