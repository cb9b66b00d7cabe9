import { contentJobKind } from '../content/job.ts'
import { captureJobKind } from '../measurements/job.ts'
import { musicJobKind } from '../music/job.ts'
import { scrapeJobKind } from '../scrapers/job.ts'
import type { JobKind } from './kind.ts'

/** Every kind of paid background work. Cancellation, sweeps and webhooks read this list. */
export const jobKinds: readonly JobKind[] = [captureJobKind, scrapeJobKind, musicJobKind, contentJobKind]
