import { createRandom, hashText } from '../random.ts'
import { isDrum, renderDrum, type Drum } from './drums.ts'
import { renderNote, type Instrument } from './instruments.ts'
import type { Stereo } from './signal.ts'

export type Sound = Instrument | Drum

type NoteRequest = { sound: Sound; midi: number; seconds: number; velocity: number }

/** Maximum size of the cache of rendered notes, in samples. Most notes of a track repeat. */
const maxCachedSamples = 12_000_000

/** Returns a function that renders notes and caches them while the cache has space. */
export function createSounds(): (note: NoteRequest) => Stereo {
  const renderedNotes = new Map<string, Stereo>()
  let cachedSamples = 0
  return ({ sound, midi, seconds, velocity }) => {
    // Velocity is quantized in inaudible steps.
    const quantizedVelocity = Math.round(velocity * 5) / 5
    const length = Math.round(seconds * 100) / 100
    const name = isDrum(sound) ? sound : `${sound} ${midi} ${length} ${quantizedVelocity}`
    const cached = renderedNotes.get(name)
    if (cached !== undefined) return cached
    const samples = isDrum(sound)
      ? renderDrum(sound, createRandom(hashText(sound)))
      : renderNote(sound, { midi, seconds: length, velocity: quantizedVelocity })
    if (cachedSamples + samples.left.length < maxCachedSamples) {
      renderedNotes.set(name, samples)
      cachedSamples += samples.left.length
    }
    return samples
  }
}
