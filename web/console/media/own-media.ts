import { apiOrigin } from '../access/settings.ts'

/** Returns the URL of a media file at the API; undefined for other URLs, which the page must not load. */
export function resolveMediaUrl(url: string): string | undefined {
  const { pathname, search } = new URL(url, apiOrigin)
  return pathname.startsWith('/media/') ? apiOrigin + pathname + search : undefined
}
