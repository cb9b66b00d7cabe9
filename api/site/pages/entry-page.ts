import { html, type Html } from '../../../domain/pages/html.ts'
import type { Entry } from '../../../domain/site/content/entry.ts'
import { renderArticle, type Article } from './article/render.ts'
import { draftBox } from './contact-page.ts'
import { docsPage } from './docs/docs-page.ts'
import type { DocsMap } from './docs/sidebar.ts'
import { machineDocuments } from './machine-documents.ts'
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
