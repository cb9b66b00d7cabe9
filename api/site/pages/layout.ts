import { renderDocument } from '../../../domain/pages/document.ts'
import { html, type Html } from '../../../domain/pages/html.ts'
import { toPathname, type Site } from './site.ts'

export type SitePage = {
  title: string
  description?: string
  /** Path of the page; undefined for error pages, which no link points to. */
  path?: string
  /** Starts with the heading of the page. */
  content: Html
  /** File names of additional scripts. */
  scripts?: readonly string[]
}

const head = [
  ['/docs', 'Docs'],
  ['/tools', 'Tools'],
  ['/agents', 'For agents'],
  ['/pricing', 'Pricing'],
] as const
const foot = [
  ['/contact', 'Contact'],
  ['/terms', 'Terms'],
  ['/privacy', 'Privacy'],
] as const

/** Renders a page of the site: navigation, content, scripts. It loads nothing from other origins. */
export function sitePage(site: Site, { title, description, path, content, scripts = [] }: SitePage): string {
  const known = new Set(site.entries.map(toPathname))
  const link = ([to, label]: readonly [string, string]): Html | false =>
    known.has(to) && html`<a href="${to}" ${current(to, path)}>${label}</a> `
  return renderDocument({
    title: path === '/' ? title : `${title} · ${site.serviceName}`,
    head: html`${description !== undefined && html`<meta name="description" content="${description}" />`}
      ${path !== undefined && html`<link rel="canonical" href="${site.siteUrl}${path}" />`}
      <link rel="icon" type="image/svg+xml" href="/assets/icon.svg" />
      <link rel="stylesheet" href="/assets/style.css" />
      ${['webmcp.js', ...scripts].map((name) => html`<script type="module" src="/assets/${name}"></script> `)}`,
    body: html`<a class="skip" href="#content">Skip to content</a>
      <header class="bar">
        <nav class="frame" aria-label="Site">
          <a class="brand" href="/">${site.serviceName}</a>
          ${head.map(link)}
          <a href="/search" ${path === '/search' && html`aria-current="page"`}>Search</a>
        </nav>
      </header>
      <main class="frame" id="content" tabindex="-1">${content}</main>
      <footer class="foot">
        <nav class="frame" aria-label="More">
          ${foot.map(link)}
          <a href="${site.baseUrl}/reference">API reference</a>
        </nav>
      </footer>`,
  })
}

/** Marks the link to the page itself, or to its section. */
function current(to: string, path = ''): Html | false {
  if (to === path) return html`aria-current="page"`
  return path.startsWith(`${to}/`) && html`aria-current="true"`
}

/** The search box of many pages. Works without scripts. */
export function searchBox(query = '', type = 'all'): Html {
  const types = [
    ['all', 'Everything'],
    ['page', 'Pages'],
    ['docs', 'Docs'],
    ['blog', 'Blog'],
    ['playbook', 'Playbooks'],
  ]
  return html`<form class="row" role="search" method="get" action="/search">
    <label>Search for <input type="search" name="query" maxlength="240" required value="${query}" /></label>
    <label
      >In
      <select name="type">
        ${types.map(
          ([value, label]) => html`<option value="${value}" ${value === type && html`selected`}>${label}</option> `,
        )}
      </select></label
    >
    <button>Search</button>
  </form>`
}
