import type { About } from './about.ts'

/** Returns `/robots.txt`. `contentSignal` states the allowed uses of the content, which the operator decides. */
export function robots({ siteUrl }: About, contentSignal: string): string {
  return `User-agent: *
Content-Signal: ${contentSignal}
Allow: /
Disallow: /api/
Disallow: /search

Sitemap: ${siteUrl}/sitemap.xml
Agentmap: ${siteUrl}/.well-known/ard.json
`
}

/** Returns `/sitemap.xml` with every entry, and its date if the file has one. */
export function sitemap({ entries }: About): string {
  const urls = entries.map(
    ({ header: { url, updatedAt } }) =>
      `  <url><loc>${escape(url)}</loc>${updatedAt === undefined ? '' : `<lastmod>${escape(updatedAt)}</lastmod>`}</url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
