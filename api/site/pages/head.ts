import { html, type Html } from '../../../domain/pages/html.ts'
import type { Site } from './site.ts'

type PageMetadata = { title: string; description?: string | undefined; path?: string | undefined; isArticle?: boolean }

/** Renders the elements of `head`: description, icons, style sheet, and the preview that other sites show for a link. */
export function pageHead(site: Site, { title, description, path, isArticle = false }: PageMetadata): Html {
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
