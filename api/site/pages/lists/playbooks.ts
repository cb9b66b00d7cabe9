import { html } from '../../../../domain/pages/html.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import type { Article } from '../article/render.ts'
import { neighbors, pageContents, trail } from '../docs/contents.ts'
import { groupList, sidebar } from '../docs/sidebar.ts'
import { sitePage } from '../layout.ts'
import { toPathname, type Site } from '../site.ts'
import { cards, listPlaybooks } from './cards.ts'

/** Renders `/playbooks` with all playbooks. */
export function playbookIndex(site: Site): string {
  const description = 'Work of a music team, step by step: what you need, the requests, how to check the result.'
  return sitePage(site, {
    title: 'Playbooks',
    description,
    path: '/playbooks',
    width: 'wide',
    content: html`<h1>Playbooks</h1>
      <p class="lead">${description}</p>
      ${cards(listPlaybooks(site), 'h2')}`,
  })
}

/** Renders a playbook beside the list of all playbooks. */
export function playbookPage(site: Site, entry: Entry, { title, lead, body, headings }: Article): string {
  const path = toPathname(entry)
  const playbooks = listPlaybooks(site)
  return sitePage(site, {
    title: entry.header.title,
    description: entry.header.description,
    path,
    side: sidebar('Playbooks', groupList({ title: 'Playbooks', entries: playbooks }, entry)),
    content: html`<article>
        ${trail(html`<a href="/playbooks">Playbooks</a>`)}
        <h1>${title}</h1>
        ${lead && html`<p class="lead">${lead}</p>`} ${body}
      </article>
      ${neighbors(playbooks, entry)}`,
    contents: pageContents(headings, path),
  })
}
