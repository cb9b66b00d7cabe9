import { html, type Html } from '../../../domain/pages/html.ts'
import type { Entry } from '../../../domain/site/content/entry.ts'
import { draftBox } from './contact-page.ts'
import { searchBox, sitePage } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import { toPathname, type Site } from './site.ts'
import { toolForms } from './tool-forms.ts'

type Addition = { content: (site: Site) => Html; scripts?: readonly string[] }

/** Additional content of pages, by path. */
const additions: Readonly<Record<string, Addition>> = {
  '/': { content: homeLists },
  '/docs': { content: docsLists },
  '/tools': { content: toolForms, scripts: ['tools.js'] },
  '/agents': { content: machineDocuments },
  '/contact': { content: draftBox, scripts: ['contact.js'] },
}

const withoutList = new Set(['/', '/docs', '/tools', '/agents', '/contact', '/terms', '/privacy', '/pricing'])

/** Renders the page of an entry from the document that the read tool returns. */
export function entryPage(site: Site, entry: Entry): string {
  const { title, description } = entry.header
  const path = toPathname(entry)
  const addition = Object.hasOwn(additions, path) ? additions[path] : undefined
  return sitePage(site, {
    title,
    description,
    path,
    content: html`<article>${renderMarkdown(entry.markdown, site.siteUrl)}</article>
      ${addition?.content(site)}`,
    scripts: addition?.scripts ?? [],
  })
}

function homeLists(site: Site): Html {
  const useCases = site.entries.filter((entry) => entry.header.type === 'page' && !withoutList.has(toPathname(entry)))
  return html`${searchBox()} ${list('use-cases', 'Use cases', useCases)}
  ${list('playbooks', 'Playbooks', listByType(site, 'playbook'))}
  ${list('blog', 'From the blog', listByType(site, 'blog'))}`
}

function docsLists(site: Site): Html {
  const docs = listByType(site, 'docs').filter((entry) => toPathname(entry) !== '/docs')
  return html`${searchBox('', 'docs')}
  ${list(
    'guides',
    'All guides',
    docs.filter((entry) => !isReference(entry)),
  )}
  ${list('playbooks', 'Playbooks', listByType(site, 'playbook'))} ${list('blog', 'Blog', listByType(site, 'blog'))}`
}

function isReference({ header: { id } }: Entry): boolean {
  return id.startsWith('docs:api-reference/')
}

function listByType({ entries }: Site, type: Entry['header']['type']): Entry[] {
  return entries.filter(({ header }) => header.type === type)
}

function list(id: string, title: string, entries: readonly Entry[]): Html | undefined {
  if (entries.length === 0) return undefined
  return html`<section aria-labelledby="list-${id}">
    <h2 id="list-${id}">${title}</h2>
    <ul class="entries">
      ${entries.map(
        (entry) =>
          html`<li>
            <h3><a href="${toPathname(entry)}">${entry.header.title}</a></h3>
            <p class="quiet">${entry.header.description}</p>
          </li> `,
      )}
    </ul>
  </section>`
}

function machineDocuments(): Html {
  const documents = [
    ['/agent-api/v1/openapi.json', 'OpenAPI document of the tools'],
    ['/agents/catalog.json', 'Catalog of content, tools and interfaces'],
    ['/agents.md', 'This guide in machine-readable form'],
    ['/llms.txt', 'Index of the site for language models'],
    ['/llms-full.txt', 'The full text of the site'],
    ['/.well-known/api-catalog', 'API catalog'],
    ['/.well-known/ard.json', 'Discovery document'],
    ['/mcp/server-card', 'MCP server card'],
  ]
  return html`<h2 id="documents">Machine-readable documents</h2>
    <ul>
      ${documents.map(([path, label]) => html`<li><a href="${path}">${label}</a></li> `)}
    </ul>`
}
