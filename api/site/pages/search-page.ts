import { html, type Html } from '../../../domain/pages/html.ts'
import { SiteError } from '../../../domain/site/errors.ts'
import type { PublicContent } from '../../../domain/site/public-content.ts'
import { sitePage } from './layout.ts'
import type { Site } from './site.ts'

type SearchResults = ReturnType<PublicContent['search']>
type SearchResponse = { status: 200 | 400; body: string }

const pageSize = 10
const parameterNames = new Set(['query', 'type', 'cursor'])

/** Renders the search page with its results. Without a query, it shows only the form; for an invalid query, an error. */
export function searchPage(site: Site, querystring: string): SearchResponse {
  const parameters = new URLSearchParams(querystring)
  const query = parameters.get('query') ?? ''
  const type = parameters.get('type') ?? 'all'
  const respond = (status: SearchResponse['status'], result?: Html): SearchResponse => ({
    status,
    body: sitePage(site, {
      title: query === '' ? 'Search' : `Search: ${query}`,
      path: '/search',
      content: html`<h1>Search</h1>
        ${searchBox(query, type)}
        <div aria-live="polite">${result}</div>`,
    }),
  })
  if (!parameters.has('query')) return respond(200)
  try {
    const input = Object.fromEntries([...parameters].filter(([name]) => parameterNames.has(name)))
    return respond(200, renderResults(site.content.search({ ...input, limit: pageSize }), type))
  } catch (error) {
    if (!(error instanceof SiteError)) throw error
    return respond(400, html`<p class="error" role="alert">${error.message}</p>`)
  }
}

function renderResults({ query, results, total, nextCursor }: SearchResults, type: string): Html {
  if (total === 0) return html`<p>No results. Try fewer or different words.</p>`
  const next = new URLSearchParams({ query, type, cursor: nextCursor ?? '' })
  return html`<p class="quiet">${total === 1 ? '1 result' : `${total} results`}</p>
    <ul class="entries">
      ${results.map(
        (result) =>
          html`<li>
            <h2><a href="${new URL(result.url).pathname}">${result.title}</a></h2>
            <p>${renderExcerpt(result)}</p>
            <p class="quiet">${result.type}</p>
          </li> `,
      )}
    </ul>
    ${nextCursor !== null && html`<p><a href="/search?${next.toString()}" rel="next">More results</a></p>`}`
}

/** Renders an excerpt with its highlights, whose ranges count code points instead of UTF-16 code units. */
function renderExcerpt({ excerpt, highlights }: SearchResults['results'][number]): Html[] {
  const characters = Array.from(excerpt)
  const between = (start: number, end?: number): string => characters.slice(start, end).join('')
  const parts = highlights.map(
    ({ start, end }, index) =>
      html`${between(highlights[index - 1]?.end ?? 0, start)}<mark>${between(start, end)}</mark>`,
  )
  return [...parts, html`${between(highlights.at(-1)?.end ?? 0)}`]
}

const types = [
  ['all', 'Everything'],
  ['page', 'Pages'],
  ['docs', 'Docs'],
  ['blog', 'Blog'],
  ['playbook', 'Playbooks'],
] as const

/** Renders a search box, which works without scripts. */
export function searchBox(query = '', type = 'all'): Html {
  return html`<form class="row search" role="search" method="get" action="/search">
    <label>Search for <input type="search" name="query" maxlength="240" required value="${query}" /></label>
    <label
      >In
      <select name="type">
        ${types.map(
          ([value, label]) => html`<option value="${value}" ${value === type && html`selected`}>${label}</option> `,
        )}
      </select></label
    >
    <button>Search</button>
  </form>`
}
