import type { Token } from 'markdown-it'
import { parseUrl } from '../../../../domain/fields/url.ts'

const schemes = new Set(['http:', 'https:', 'mailto:'])

/** Makes links to the site relative, and replaces each link to an unsupported target by its text. Links are not nested. */
export function resolveLinks(tokens: readonly Token[], siteUrl: string): void {
  let target: string | undefined
  for (const token of tokens) {
    if (token.type === 'link_open') {
      target = resolveTarget(String(token.attrGet('href') ?? ''), siteUrl)
      token.attrs = target === undefined ? null : [['href', target]]
    }
    if (target === undefined && ['link_open', 'link_close'].includes(token.type)) token.type = 'html_inline'
  }
}

/** Returns the target of a link, as a path if it is a page of this site; undefined for an unsupported scheme. */
function resolveTarget(href: string, siteUrl: string): string | undefined {
  const base = new URL(siteUrl)
  const target = parseUrl(href, base)
  if (target === undefined || !schemes.has(target.protocol)) return undefined
  return target.origin === base.origin ? target.pathname + target.search + target.hash : target.href
}
