import type { ResultHeader } from '../content/entry.ts'

type Api = NonNullable<ResultHeader['api']>
/** A query for an operation by its path, such as `PATCH /api/tasks`. */
export type OperationQuery = { method: string | undefined; segments: string[] }

const operationPattern =
  /^(?:(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+)?(?:https?:\/\/[^/\s?#]+)?(\/(?:api|agent-api)(?:\/[^\s?#]*)?)(?:[?#]\S*)?$/i
const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function parseOperationQuery(query: string): OperationQuery | undefined {
  const [, method, path] = operationPattern.exec(query.trim()) ?? []
  if (path === undefined) return undefined
  return { method: method?.toUpperCase(), segments: splitPath(path) }
}

/** Returns the operations whose path matches the query best. Tier 3: the method matches too. */
export function rankOperations<E extends { header: { api?: Api | undefined } }>(
  entries: readonly E[],
  query: OperationQuery,
): { entry: E; tier: 2 | 3; order: number }[] {
  const fits = entries.flatMap((entry) => {
    const { api } = entry.header
    const fit = api === undefined ? undefined : rateFit(api.path, query)
    return api === undefined || fit === undefined ? [] : [{ entry, api, fit }]
  })
  const best = fits.reduce((most, { fit }) => (fit > most ? fit : most), '')
  return fits
    .filter(({ fit }) => fit === best)
    .map(({ entry, api }) => ({
      entry,
      tier: api.method === query.method ? 3 : 2,
      order: methodOrder.length - methodOrder.indexOf(api.method),
    }))
}

function splitPath(path: string): string[] {
  const segments = path.split('/').slice(1)
  while (segments.at(-1) === '') segments.pop()
  return segments
}

/**
 * Rates the match of a template with one digit per segment: a literal ranks above a parameter. Returns undefined if the
 * template does not match.
 */
function rateFit(template: string, { segments }: OperationQuery): string | undefined {
  const templateSegments = splitPath(template)
  if (templateSegments.length !== segments.length) return undefined
  let fit = ''
  for (const [index, segment] of templateSegments.entries()) {
    const querySegment = segments[index] ?? ''
    if (isParameter(segment)) fit += isParameter(querySegment) ? '2' : '1'
    else if (segment.toLowerCase() === querySegment.toLowerCase()) fit += '2'
    else return undefined
  }
  return fit
}

function isParameter(segment: string): boolean {
  return /^(?::.+|\{.+\})$/.test(segment)
}
