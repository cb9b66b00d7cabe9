import { apiOrigin } from '../access/settings.ts'

/** Address of a file that this deployment serves; undefined for other hosts, from which the page loads nothing. */
export function ownMedia(url: string): string | undefined {
  const { pathname, search } = new URL(url, apiOrigin)
  return pathname.startsWith('/media/') ? apiOrigin + pathname + search : undefined
}
