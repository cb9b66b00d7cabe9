import { useState } from 'react'
import { SafeLink } from '../parts/markdown.tsx'
import { resolveMediaUrl } from './own-media.ts'

type Props = { url: string; poster: string | null; name: string }

/** Vertical video with a poster image. The video loads when the user plays it. */
export function Video({ url, poster, name }: Props) {
  const [state, setState] = useState<'still' | 'playing' | 'broken'>('still')
  const source = resolveMediaUrl(url)
  const posterUrl = poster === null ? undefined : resolveMediaUrl(poster)
  if (source === undefined || state === 'broken')
    return (
      <div className="frame">
        <p>{state === 'broken' && 'This video cannot be played here. '}</p>
        <SafeLink href={source ?? url}>Open the video</SafeLink>
      </div>
    )
  return state === 'playing' ? (
    <video
      className="frame"
      controls
      autoPlay
      playsInline
      src={source}
      aria-label={name}
      onError={() => setState('broken')}
    />
  ) : (
    <button type="button" className="frame play" aria-label={`Play ${name}`} onClick={() => setState('playing')}>
      {posterUrl !== undefined && <img src={posterUrl} alt="" loading="lazy" decoding="async" />}
      <span aria-hidden="true">▶</span>
    </button>
  )
}
