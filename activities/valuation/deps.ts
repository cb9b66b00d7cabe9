import type { CaptureTerms } from '../../db/measurements/accept.ts'
import type { ProfileHosts } from '../../domain/artists/profiles.ts'
import type { StreamingPort } from '../../providers/streaming/index.ts'
import type { LogDeps } from '../deps.ts'

export type ValuationDeps = LogDeps & {
  streaming: StreamingPort
  /** Settings of catalog measurements and valuations. */
  catalogs: {
    /** Maximum number of releases of an artist that a valuation measures. */
    maxReleases: number
    terms: CaptureTerms
    profileHosts: ProfileHosts
    webAppUrl: string
  }
}
