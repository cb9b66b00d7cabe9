import type { PublicContent } from '../../domain/site/public-content.ts'
import type { Metrics } from './metrics.ts'

/** Wraps the content so that the duration of each valid search is measured. */
export function measureSearches(
  content: PublicContent,
  { siteSearches }: Pick<Metrics, 'siteSearches'>,
): PublicContent {
  return {
    ...content,
    search: (input) => {
      const startedAt = performance.now()
      const result = content.search(input)
      const seconds = (performance.now() - startedAt) / 1000
      siteSearches.observe({ outcome: result.total === 0 ? 'nothing' : 'found' }, seconds)
      return result
    },
  }
}
