import { apiOrigin } from '../access/settings.ts'
import { SafeLink } from '../parts/markdown.tsx'

/** Plays what this deployment keeps; what lies elsewhere is a link, since the page asks nobody else for anything. */
export function Player({ url, name }: { url: string; name: string }) {
  const { pathname, search } = new URL(url, apiOrigin)
  if (!pathname.startsWith('/media/')) return <SafeLink href={url}>Listen</SafeLink>
  return <audio controls preload="none" src={apiOrigin + pathname + search} aria-label={name} />
}
