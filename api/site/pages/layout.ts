import { renderDocument } from '../../../domain/pages/document.ts'
import { html, type Html } from '../../../domain/pages/html.ts'
import { mark } from '../../../domain/pages/mark.ts'
import type { Site } from './site.ts'

type SitePage = {
  title: string
  description?: string
  /** Path of the page; undefined for error pages, which have no fixed path. */
  path?: string
  /** Main content, including the heading of the page. */
  content: Html
  /** Navigation beside the content. */
  side?: Html
  /** Table of contents, after the content. */
  contents?: Html
  /** `wide` for pages with full-width sections. */
  width?: 'text' | 'wide'
  /** True for a dated article. */
  isArticle?: boolean
  /** File names of additional scripts. */
  scripts?: readonly string[]
}

type Link = readonly [path: string, label: string]

const headerLinks: readonly Link[] = [
  ['/docs', 'Docs'],
  ['/playbooks', 'Playbooks'],
  ['/blog', 'Blog'],
  ['/tools', 'Tools'],
  ['/agents', 'For agents'],
  ['/pricing', 'Pricing'],
  ['/search', 'Search'],
]
const footerLinks: readonly (readonly [string, readonly Link[]])[] = [
  [
    'Product',
    [
      ['/agent-workspace', 'Agent workspace'],
      ['/scheduled-tasks', 'Scheduled tasks'],
      ['/catalog-valuation', 'Catalog valuation'],
      ['/artist-research', 'Artist research'],
      ['/royalty-reporting', 'Royalty reporting'],
      ['/pricing', 'Pricing'],
    ],
  ],
  [
    'Documentation',
    [
      ['/docs/quickstart', 'Quickstart'],
      ['/docs', 'All guides'],
      ['/docs/api-reference', 'API by operation'],
      ['/playbooks', 'Playbooks'],
      ['/blog', 'Blog'],
    ],
  ],
  [
    'More',
    [
      ['/tools', 'Tools'],
      ['/agents', 'For agents'],
      ['/custom-builds', 'Custom builds'],
      ['/contact', 'Contact'],
      ['/terms', 'Terms'],
      ['/privacy', 'Privacy'],
    ],
  ],
]

/** Renders a page of the site with navigation, content and scripts. The page loads nothing from other origins. */
export function sitePage(site: Site, page: SitePage): string {
  const { title, description, path, content, side, contents, width = 'text', isArticle, scripts = [] } = page
  const main = html`<main class="${side === undefined ? `frame ${width}` : 'beside'}" id="content" tabindex="-1">
    ${content}
  </main>`
  return renderDocument({
    title: path === '/' ? title : `${title} · ${site.serviceName}`,
    head: html`${pageHead(site, { title, description, path, ...(isArticle !== undefined && { isArticle }) })}
    ${['webmcp.js', 'copy.js', ...scripts].map((name) => html`<script type="module" src="/assets/${name}"></script> `)}`,
    body: html`<a class="skip" href="#content">Skip to content</a> ${header(site, path)}
      ${side === undefined ? main : html`<div class="columns">${side} ${main} ${contents}</div>`} ${footer(site)}`,
  })
}

function header(site: Site, path: string | undefined): Html {
  return html`<header class="bar">
    <div class="bar-row">
      <a class="brand" href="/">${mark}${site.serviceName}</a>
      <button type="button" class="plain menu" popovertarget="menu" aria-controls="menu">Menu</button>
      <nav id="menu" popover aria-label="Site">
        ${filterExisting(site, headerLinks).map(
          ([to, label]) => html`<a href="${to}" ${markCurrent(to, path)}>${label}</a> `,
        )}
        ${site.consoleUrl !== undefined && html`<a class="button" href="${site.consoleUrl}">Open the console</a>`}
      </nav>
    </div>
  </header>`
}

function footer(site: Site): Html {
  return html`<footer class="foot">
    <nav class="foot-row" aria-label="All pages">
      <p>
        <a class="brand" href="/">${mark}${site.serviceName}</a>
        <small>Version ${site.version}</small>
      </p>
      ${footerLinks.map(
        ([title, links]) =>
          html`<div>
            <p class="group">${title}</p>
            <ul>
              ${filterExisting(site, links).map(([to, label]) => html`<li><a href="${to}">${label}</a></li> `)}
              ${title === 'Documentation' && html`<li><a href="${site.baseUrl}/reference">Try the API</a></li> `}
            </ul>
          </div> `,
      )}
    </nav>
  </footer>`
}

/** Returns the links to pages that this site has. */
function filterExisting(site: Site, links: readonly Link[]): readonly Link[] {
  return links.filter(([to]) => site.paths.has(to))
}

/** Returns `aria-current` for a link to the current page or to its section; otherwise false. */
function markCurrent(to: string, path = ''): Html | false {
  if (to === path) return html`aria-current="page"`
  return path.startsWith(`${to}/`) && html`aria-current="true"`
}

type PageMetadata = { title: string; description?: string | undefined; path?: string | undefined; isArticle?: boolean }

/** Renders the elements of `head`: description, icons, style sheet, and the preview that other sites show for a link. */
function pageHead(site: Site, { title, description, path, isArticle = false }: PageMetadata): Html {
  const { siteUrl, serviceName } = site
  return html`${description !== undefined && html`<meta name="description" content="${description}" />`}
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#16171a" />
    ${
      path !== undefined &&
      html`<link rel="canonical" href="${siteUrl}${path}" />
        <meta property="og:url" content="${siteUrl}${path}" />
        <meta property="og:type" content="${isArticle ? 'article' : 'website'}" />
        <meta property="og:site_name" content="${serviceName}" />
        <meta property="og:title" content="${title}" />
        ${description !== undefined && html`<meta property="og:description" content="${description}" />`}
        <meta property="og:image" content="${siteUrl}/assets/card.png" />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta property="og:image:alt" content="An answer that continues after its worker was killed" />
        <meta name="twitter:card" content="summary_large_image" />`
    }
    <link rel="icon" type="image/svg+xml" href="/assets/icon.svg" />
    <link rel="icon" type="image/png" sizes="32x32" href="/favicon.ico" />
    <link rel="apple-touch-icon" href="/assets/touch-icon.png" />
    <link rel="stylesheet" href="/assets/style.css" />`
}
