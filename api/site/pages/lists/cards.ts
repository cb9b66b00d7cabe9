import { html, type Html } from '../../../../domain/pages/html.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import { toPathname, type Site } from '../site.ts'

/** Renders entries as cards with a title, a description and the result of `renderDetails`. */
export function cards(
  entries: readonly Entry[],
  level: 'h2' | 'h3',
  renderDetails: (entry: Entry) => Html | undefined = () => undefined,
): Html {
  return html`<div class="cards">
    ${entries.map((entry) => {
      const link = html`<a href="${toPathname(entry)}">${entry.header.title}</a>`
      return html`<div class="card">
        ${level === 'h2' ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
        <p>${entry.header.description}</p>
        ${renderDetails(entry)}
      </div> `
    })}
  </div>`
}

export function listPlaybooks({ entries }: Site): Entry[] {
  return entries.filter(({ header }) => header.type === 'playbook')
}

/** Returns the posts, newest first. Posts of the same day are sorted by title. */
export function listPosts({ entries }: Site): Entry[] {
  return entries
    .filter(({ header }) => header.type === 'blog')
    .toSorted((a, b) => readDate(b).localeCompare(readDate(a)) || a.header.title.localeCompare(b.header.title))
}

function readDate({ header }: Entry): string {
  return header.publishedAt ?? ''
}
