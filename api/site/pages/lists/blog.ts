import { html, type Html } from '../../../../domain/pages/html.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import type { Article } from '../article/render.ts'
import { neighbors, trail } from '../docs/contents.ts'
import { sitePage } from '../layout.ts'
import { toPathname, type Site } from '../site.ts'
import { cards, listPosts } from './cards.ts'

/** Renders `/blog` with all posts, newest first. */
export function blogIndex(site: Site): string {
  const description = `How ${site.serviceName} works and why it was built this way, for engineers and for music teams.`
  return sitePage(site, {
    title: 'Blog',
    description,
    path: '/blog',
    width: 'wide',
    content: html`<h1>Blog</h1>
      <p class="lead">${description}</p>
      ${cards(listPosts(site), 'h2', byline)}`,
  })
}

/** Renders a post with its byline, its text, and links to the previous and the next post. */
export function postPage(site: Site, entry: Entry, { title, lead, body }: Article): string {
  return sitePage(site, {
    title: entry.header.title,
    description: entry.header.description,
    path: toPathname(entry),
    isArticle: true,
    content: html`<article>
        ${trail(html`<a href="/blog">Blog</a>`, entry.category)}
        <h1>${title}</h1>
        ${byline(entry)} ${lead && html`<p class="lead">${lead}</p>`} ${body}
      </article>
      ${neighbors(listPosts(site), entry)}`,
  })
}

export function byline({ author, header: { publishedAt, updatedAt } }: Entry): Html {
  return html`<p class="byline">
    ${author} ${publishedAt !== undefined && html`<span>${renderDate(publishedAt)}</span>`}
    ${updatedAt !== undefined && html`<span>Updated ${renderDate(updatedAt)}</span>`}
  </p>`
}

function renderDate(text: string): Html {
  const formatted = new Date(text).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return html`<time datetime="${text}">${formatted}</time>`
}
