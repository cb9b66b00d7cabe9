import type { ValuationOutcome } from '../../domain/valuation/outcome.ts'
import { declareWorkflow, priorities } from '../messages.ts'

export type ValueArtistInput = {
  /** Who pays, and on whose roster the artist comes. */
  accountId: string
  /** Who is to own the catalog: that account, or an organization. */
  ownerId: string
  streamingArtistId: string
  /** How the request was signed. */
  source: 'web' | 'api'
}

/** Measures the releases of an artist and says what they may be worth. Whoever asks for the same meanwhile joins it. */
export const valueArtist = declareWorkflow<ValueArtistInput, ValuationOutcome>({
  type: 'valueArtist',
  id: ({ accountId, ownerId, streamingArtistId }) => `valuation:${accountId}:${ownerId}:${streamingArtistId}`,
  owner: ({ accountId }) => ({ accountId }),
  priority: () => priorities.interactive,
})
