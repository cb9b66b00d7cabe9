import { apiOrigin } from '../access/settings.ts'

/** Where this deployment serves a file itself; undefined for one that lies elsewhere, whom the page asks for nothing. */
export function ownMedia(url: string): string | undefined {
  const { pathname, search } = new URL(url, apiOrigin)
  return pathname.startsWith('/media/') ? apiOrigin + pathname + search : undefined
}
