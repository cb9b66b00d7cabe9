import { layout, pageHeaders, type Html } from './html.ts'
import type { EmbeddedProvider } from '../provider.ts'
import { parseUrl } from '../../../../domain/fields/url.ts'

export type PageStatus = 200 | 400 | 402 | 404 | 409 | 410

type Headers = Record<string, string>
/** What a browser gets: a page, or another address. */
export type PageAnswer = { status: PageStatus; headers: Headers; body: string } | { status: 303; headers: Headers }

/** True for a target that the pages may lead to by themselves. */
export function isTrusted({ trustedOrigins }: Pick<EmbeddedProvider, 'trustedOrigins'>, url: string): boolean {
  const origin = originOf(url)
  return origin !== undefined && trustedOrigins.includes(origin)
}

/** `target`: where a form of this page may end up. */
export function page(
  provider: Pick<EmbeddedProvider, 'trustedOrigins'>,
  title: string,
  content: Html,
  { status = 200, target }: { status?: PageStatus; target?: string } = {},
): PageAnswer {
  const targets = target !== undefined && isTrusted(provider, target) ? [originOf(target) ?? ''] : []
  return { status, headers: pageHeaders(targets), body: layout(title, content) }
}

export function redirect(location: string): PageAnswer {
  return {
    status: 303,
    headers: { location, 'referrer-policy': 'no-referrer' },
  }
}

function originOf(url: string): string | undefined {
  return parseUrl(url)?.origin
}
