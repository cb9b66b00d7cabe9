import { SafeLink } from '../parts/markdown.tsx'
import { resolveMediaUrl } from './own-media.ts'

/** Audio player for a media file of this deployment; a link for any other file. */
export function Player({ url, name }: { url: string; name: string }) {
  const source = resolveMediaUrl(url)
  if (source === undefined) return <SafeLink href={url}>Listen</SafeLink>
  return <audio controls preload="none" src={source} aria-label={name} />
}
