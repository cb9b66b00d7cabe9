import { html, type Html } from '../../../../domain/pages/html.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import type { Article } from '../article/render.ts'
import { sitePage } from '../layout.ts'
import { searchBox } from '../search-box.ts'
import { toPathname, type Site } from '../site.ts'
import { neighbors, pageContents } from './contents.ts'
import { indexId, isReference, type Group } from './order.ts'
import { docsSidebar, method, type DocsMap } from './sidebar.ts'

/** A page of the documentation: sidebar, article, contents, and links to its neighbors. */
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
        ${trail(entry, group)}
        <h1>${title}</h1>
        ${lead && html`<p class="lead">${lead}</p>`} ${isIndex && searchBox('', 'docs')}
        ${entry.header.api && html`<p class="operation">${method(entry)}<code>${entry.header.api.path}</code></p>`}
        ${isIndex ? html`${body} ${guideLists(map.guides)}` : body}
      </article>
      ${neighbors(
        groups.flatMap(({ entries }) => entries),
        entry,
      )}`,
    contents: pageContents(isIndex ? [] : headings, path),
  })
}

function trail({ header: { id } }: Entry, group: Group | undefined): Html | false {
  if (id === indexId) return false
  return html`<nav class="trail" aria-label="Breadcrumbs">
    <ol>
      <li><a href="/docs">Docs</a></li>
      ${isReference(id) && html`<li><a href="/docs/api-reference">API reference</a></li> `}
      ${group && html`<li>${group.title}</li>`}
    </ol>
  </nav>`
}

function guideLists(groups: readonly Group[]): Html {
  return html`<h2 id="guides">All guides</h2>
    <div class="cards">
      ${groups.flatMap(({ entries }) =>
        entries.map(
          (entry) =>
            html`<div class="card">
              <h3><a href="${toPathname(entry)}">${entry.header.title}</a></h3>
              <p>${entry.header.description}</p>
            </div> `,
        ),
      )}
    </div>`
}
