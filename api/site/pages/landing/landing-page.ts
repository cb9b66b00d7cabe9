import { html, type Html } from '../../../../domain/pages/html.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import type { Article } from '../article/render.ts'
import { sitePage } from '../layout.ts'
import { byline } from '../lists/blog.ts'
import { cards, listPlaybooks, listPosts } from '../lists/cards.ts'
import { toPathname, type Site } from '../site.ts'
import { peerTable } from './peers.ts'
import { replay } from './replay.ts'
import { copyButton } from '../article/code.ts'
import { searchBox } from '../search-page.ts'

const maxEntries = 3

/** Pages that do not describe a use case of the service. */
const otherPages = new Set(['/', '/tools', '/agents', '/contact', '/terms', '/privacy', '/pricing'])

/** Renders the home page: the service, its recovery from a killed worker, measurements, and links to other pages. */
export function landingPage(site: Site, entry: Entry, { title, lead, body }: Article): string {
  const useCases = site.entries.filter((other) => other.header.type === 'page' && !otherPages.has(toPathname(other)))
  return sitePage(site, {
    title: entry.header.title,
    description: entry.header.description,
    path: '/',
    width: 'wide',
    content: html`<div class="hero">
        <div>
          <h1>${title}</h1>
          ${lead && html`<p class="lead">${lead}</p>`}
          <p class="actions">
            ${site.consoleUrl !== undefined && html`<a class="button" href="${site.consoleUrl}">Open the console</a>`}
            <a class="button plain" href="/docs/quickstart">Read the quickstart</a>
          </p>
          ${commands()}
        </div>
        ${replay(site.figures.recording)}
      </div>
      <div class="features">${body}</div>
      ${peerTable(site.figures.peers, site.serviceName)} ${section('use-cases', 'What teams use it for', useCases)}
      ${section('playbooks', 'Playbooks', listPlaybooks(site).slice(0, maxEntries), ['/playbooks', 'All playbooks'])}
      ${section('blog', 'From the blog', listPosts(site).slice(0, maxEntries), ['/blog', 'All posts'], byline)}
      <section aria-labelledby="find">
        <h2 id="find">Find an answer</h2>
        ${searchBox()}
      </section>`,
    scripts: ['replay.js'],
  })
}

function section(
  id: string,
  title: string,
  entries: readonly Entry[],
  allLink?: readonly [path: string, label: string],
  renderDetails?: (entry: Entry) => Html,
): Html | undefined {
  if (entries.length === 0) return undefined
  return html`<section aria-labelledby="${id}">
    <div class="section-head">
      <h2 id="${id}">${title}</h2>
      ${allLink && html`<a href="${allLink[0]}">${allLink[1]}</a>`}
    </div>
    ${cards(entries, 'h3', renderDetails)}
  </section>`
}

const commandList = [
  ['npm start', 'Postgres, Temporal, a worker, the API and a demo account'],
  ['npm test', 'every check and test, on the real stack'],
] as const

/** Renders the two commands to run in a new checkout. */
function commands(): Html {
  return html`<ul class="commands" aria-label="Commands">
    ${commandList.map(
      ([command, effect]) =>
        html`<li class="code">
          <pre tabindex="0"><code>${command}</code></pre>
          <small>${effect}</small>
          ${copyButton}
        </li> `,
    )}
  </ul>`
}
