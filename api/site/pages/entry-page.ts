import { html, type Html } from '../../../domain/pages/html.ts'
import type { Entry } from '../../../domain/site/content/entry.ts'
import { renderArticle, type Article } from './article/render.ts'
import { docsPage } from './docs/docs-page.ts'
import type { DocsMap } from './docs/sidebar.ts'
import { landingPage } from './landing/landing-page.ts'
import { sitePage } from './layout.ts'
import { playbookPage } from './lists/playbooks.ts'
import { postPage } from './lists/blog.ts'
import { toPathname, type Site } from './site.ts'
import { toolForms } from './tool-forms.ts'

type Addition = { content: (site: Site) => Html; scripts?: readonly string[] }

/** Additional content and scripts of pages, by path. */
const additions: Readonly<Record<string, Addition>> = {
  '/tools': { content: toolForms, scripts: ['tools.js'] },
  '/agents': { content: machineDocuments },
  '/contact': { content: draftBox, scripts: ['contact.js'] },
}

/** Renders the page of an entry from its Markdown, which the read tool also returns. */
export function entryPage(site: Site, map: DocsMap, entry: Entry): string {
  const article = renderArticle(entry.markdown, site.siteUrl)
  return pagesByType[entry.header.type](site, map, entry, article)
}

type RenderPage = (site: Site, map: DocsMap, entry: Entry, article: Article) => string

const pagesByType: Readonly<Record<Entry['header']['type'], RenderPage>> = {
  docs: docsPage,
  playbook: (site, _, entry, article) => playbookPage(site, entry, article),
  blog: (site, _, entry, article) => postPage(site, entry, article),
  page: (site, _, entry, article) =>
    toPathname(entry) === '/' ? landingPage(site, entry, article) : textPage(site, entry, article),
}

function textPage(site: Site, entry: Entry, { title, lead, body }: Article): string {
  const { description } = entry.header
  const path = toPathname(entry)
  const addition = Object.hasOwn(additions, path) ? additions[path] : undefined
  return sitePage(site, {
    title: entry.header.title,
    description,
    path,
    content: html`<article>
        <h1>${title}</h1>
        ${lead && html`<p class="lead">${lead}</p>`} ${body}
      </article>
      ${addition?.content(site)}`,
    scripts: addition?.scripts ?? [],
  })
}

/** Renders the contact address, and a box for the draft that the tools page saved in this tab. The page sends nothing. */
function draftBox({ contact }: Site): Html {
  return html`<p>Write to <a href="mailto:${contact}">${contact}</a>.</p>
    <section id="draft" aria-labelledby="draft-title" hidden>
      <h2 id="draft-title">Your draft</h2>
      <p>A draft of your brief is saved in this tab. Nothing has been sent.</p>
      <button type="button" data-action="use">Use the draft</button>
      <button type="button" class="plain" data-action="discard">Discard</button>
    </section>
    <p id="draft-status" role="status"></p>
    <noscript
      ><p class="notice">
        With JavaScript enabled, the draft of your brief from the tools page appears here.
      </p></noscript
    >`
}

const documents = [
  ['/agent-api/v1/openapi.json', 'OpenAPI document of the tools'],
  ['/agents/catalog.json', 'Catalog of content, tools and interfaces'],
  ['/agents.md', 'This guide in machine-readable form'],
  ['/llms.txt', 'Index of the site for language models'],
  ['/llms-full.txt', 'The full text of the site'],
  ['/.well-known/api-catalog', 'API catalog'],
  ['/.well-known/ard.json', 'Discovery document'],
  ['/mcp/server-card', 'MCP server card'],
] as const

function machineDocuments(): Html {
  return html`<h2 id="documents">Machine-readable documents</h2>
    <ul class="paths">
      ${documents.map(([path, label]) => html`<li><a href="${path}">${label}</a> <code>${path}</code></li> `)}
    </ul>`
}
