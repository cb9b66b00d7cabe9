import type { ActivityDeps } from '../deps.ts'

export type MusicDeps = Pick<ActivityDeps, 'db' | 'render' | 'store' | 'files' | 'platform' | 'log'>
