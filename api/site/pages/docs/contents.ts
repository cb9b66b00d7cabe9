import { html, type Html } from '../../../../domain/pages/html.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import type { Heading } from '../article/render.ts'
import { toPathname } from '../site.ts'

const minHeadings = 2

/** Renders the table of contents, if the page has at least two headings, and a link to the page as Markdown. */
export function pageContents(headings: readonly Heading[], path: string): Html {
  return html`<nav class="contents" aria-label="This page">
    ${
      headings.length >= minHeadings &&
      html`<h2>On this page</h2>
        <ul>
          ${headings.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li> `)}
        </ul>`
    }
    <p><a href="${path}.md">View as Markdown</a></p>
  </nav>`
}

/** Renders breadcrumbs. Omits items that are undefined or false. */
export function trail(...items: readonly (Html | string | false | undefined)[]): Html {
  const visibleItems = items.filter((item) => item !== undefined && item !== false)
  return html`<nav class="trail" aria-label="Breadcrumbs">
    <ol>
      ${visibleItems.map((item) => html`<li>${item}</li> `)}
    </ol>
  </nav>`
}

/** Renders links to the previous and the next entry in reading order. */
export function neighbors(entries: readonly Entry[], current: Entry): Html | undefined {
  const index = entries.indexOf(current)
  const [previous, next] = [entries[index - 1], entries[index + 1]]
  if (index === -1 || (previous === undefined && next === undefined)) return undefined
  return html`<nav class="neighbors" aria-label="Previous and next">
    ${previous && neighbor(previous, 'prev', 'Previous')} ${next && neighbor(next, 'next', 'Next')}
  </nav>`
}

function neighbor(entry: Entry, rel: 'prev' | 'next', label: string): Html {
  return html`<a rel="${rel}" href="${toPathname(entry)}"><small>${label}</small> ${entry.header.title}</a>`
}
