import { html, type Html } from '../../../../domain/pages/html.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import type { Article } from '../article/render.ts'
import { sitePage } from '../layout.ts'
import { cards } from '../lists/cards.ts'
import { toPathname, type Site } from '../site.ts'
import { neighbors, pageContents, trail } from './contents.ts'
import { indexId, isReference, type Group } from './order.ts'
import { docsSidebar, methodLabel, type DocsMap } from './sidebar.ts'
import { searchBox } from '../search-page.ts'

/** Renders a page of the documentation: sidebar, article, table of contents, and links to the previous and next page. */
export function docsPage(site: Site, map: DocsMap, entry: Entry, { title, lead, body, headings }: Article): string {
  const path = toPathname(entry)
  const isIndex = entry.header.id === indexId
  const groups = isReference(entry.header.id) ? map.reference : map.guides
  const group = groups.find(({ entries }) => entries.includes(entry))
  return sitePage(site, {
    title: entry.header.title,
    description: entry.header.description,
    path,
    side: docsSidebar(site, map, entry),
    content: html`<article>
        ${
          !isIndex &&
          trail(
            html`<a href="/docs">Docs</a>`,
            isReference(entry.header.id) && html`<a href="/docs/api-reference">API reference</a>`,
            group?.title,
          )
        }
        <h1>${title}</h1>
        ${lead && html`<p class="lead">${lead}</p>`} ${isIndex && searchBox('', 'docs')}
        ${entry.header.api && html`<p class="operation">${methodLabel(entry)}<code>${entry.header.api.path}</code></p>`}
        ${isIndex ? html`${body} ${guideLists(map.guides)}` : body}
      </article>
      ${neighbors(
        groups.flatMap(({ entries }) => entries),
        entry,
      )}`,
    contents: pageContents(isIndex ? [] : headings, path),
  })
}

function guideLists(groups: readonly Group[]): Html {
  return html`<h2 id="guides">All guides</h2>
    ${cards(
      groups.flatMap(({ entries }) => entries),
      'h3',
    )}`
}
