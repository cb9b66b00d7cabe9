import { useState } from 'react'
import { SafeLink } from '../parts/markdown.tsx'
import { ownMedia } from './own.ts'

type Props = { url: string; poster: string | null; name: string }

/** Vertical video with a poster image. The video loads only when it is played. */
export function Video({ url, poster, name }: Props) {
  const [state, setState] = useState<'still' | 'playing' | 'broken'>('still')
  const own = ownMedia(url)
  const picture = poster === null ? undefined : ownMedia(poster)
  if (own === undefined || state === 'broken')
    return (
      <div className="frame">
        <p>{state === 'broken' && 'This video cannot be played here. '}</p>
        <SafeLink href={own ?? url}>Open the video</SafeLink>
      </div>
    )
  return state === 'playing' ? (
    <video
      className="frame"
      controls
      autoPlay
      playsInline
      src={own}
      aria-label={name}
      onError={() => setState('broken')}
    />
  ) : (
    <button type="button" className="frame play" aria-label={`Play ${name}`} onClick={() => setState('playing')}>
      {picture !== undefined && <img src={picture} alt="" loading="lazy" decoding="async" />}
      <span aria-hidden="true">▶</span>
    </button>
  )
}
