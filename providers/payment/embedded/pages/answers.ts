import type { Html } from './html.ts'
import { layout, pageHeaders } from './html.ts'
import type { Party } from '../party.ts'

export type PageStatus = 200 | 400 | 402 | 404 | 409 | 410

type Headers = Record<string, string>
/** What a browser gets: a page, or another address. */
export type PageAnswer = { status: PageStatus; headers: Headers; body: string } | { status: 303; headers: Headers }

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined)

/** True for a target that the pages may lead to by themselves. */
export const isTrusted = ({ trustedOrigins }: Pick<Party, 'trustedOrigins'>, url: string): boolean => {
  const origin = originOf(url)
  return origin !== undefined && trustedOrigins.includes(origin)
}

/** `target`: where a form of this page may end up. */
export const page = (
  party: Pick<Party, 'trustedOrigins'>,
  title: string,
  content: Html,
  { status = 200, target }: { status?: PageStatus; target?: string } = {},
): PageAnswer => {
  const targets = target !== undefined && isTrusted(party, target) ? [originOf(target) ?? ''] : []
  return { status, headers: pageHeaders(targets), body: layout(title, content) }
}

export const redirect = (location: string): PageAnswer => ({
  status: 303,
  headers: { location, 'referrer-policy': 'no-referrer' },
})
