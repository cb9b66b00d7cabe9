import type { ValuationOutcome } from '../../domain/valuation/outcome.ts'
import { declareWorkflow, priorities } from '../messages.ts'

export type ValueArtistInput = {
  /** Account that pays and to whose roster the artist is added. */
  accountId: string
  /** Owner of the catalog: that account, or an organization. */
  ownerId: string
  streamingArtistId: string
  /** Authentication of the request. */
  source: 'web' | 'api'
}

/** Measures the releases of an artist and estimates their value. An identical request joins the open workflow. */
export const valueArtist = declareWorkflow<ValueArtistInput, ValuationOutcome>({
  type: 'valueArtist',
  id: ({ accountId, ownerId, streamingArtistId }) => `valuation:${accountId}:${ownerId}:${streamingArtistId}`,
  owner: ({ accountId }) => ({ accountId }),
  priority: () => priorities.interactive,
})
