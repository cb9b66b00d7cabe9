import type { Html } from '../../../../domain/pages/html.ts'
import { embeddedPage, embeddedPageHeaders } from '../../../embedded-page.ts'
import type { EmbeddedProvider } from '../provider.ts'
import { parseUrl } from '../../../../domain/fields/url.ts'

const notice =
  'Test mode: this page belongs to the embedded payment provider. It accepts no real cards, and no money moves.'

export type PageStatus = 200 | 400 | 402 | 404 | 409 | 410

type Headers = Record<string, string>
/** Response to a browser: a page or a redirect. */
export type PageResponse = { status: PageStatus; headers: Headers; body: string } | { status: 303; headers: Headers }

/** True for a URL to which the pages can redirect automatically. */
export function isTrusted({ trustedOrigins }: Pick<EmbeddedProvider, 'trustedOrigins'>, url: string): boolean {
  const origin = parseOrigin(url)
  return origin !== undefined && trustedOrigins.includes(origin)
}

/** Renders a page. `target`: URL to which a form of the page can redirect. */
export function page(
  provider: Pick<EmbeddedProvider, 'trustedOrigins'>,
  title: string,
  content: Html,
  { status = 200, target }: { status?: PageStatus; target?: string } = {},
): PageResponse {
  const formTargets = target !== undefined && isTrusted(provider, target) ? [parseOrigin(target) ?? ''] : []
  return { status, headers: embeddedPageHeaders({ formTargets }), body: embeddedPage({ title, notice, content }) }
}

export function redirect(location: string): PageResponse {
  return {
    status: 303,
    headers: { location, 'referrer-policy': 'no-referrer' },
  }
}

function parseOrigin(url: string): string | undefined {
  return parseUrl(url)?.origin
}
