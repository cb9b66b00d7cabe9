import { SafeLink } from '../parts/markdown.tsx'
import { ownMedia } from './own.ts'

/** Audio player for a file that this deployment serves; a link for a file of another host. */
export function Player({ url, name }: { url: string; name: string }) {
  const own = ownMedia(url)
  if (own === undefined) return <SafeLink href={url}>Listen</SafeLink>
  return <audio controls preload="none" src={own} aria-label={name} />
}
