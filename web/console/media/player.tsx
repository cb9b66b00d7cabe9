import { SafeLink } from '../parts/markdown.tsx'
import { ownMedia } from './own.ts'

/** Plays what this deployment keeps; what lies elsewhere is a link. */
export function Player({ url, name }: { url: string; name: string }) {
  const own = ownMedia(url)
  if (own === undefined) return <SafeLink href={url}>Listen</SafeLink>
  return <audio controls preload="none" src={own} aria-label={name} />
}
