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
  return ({ sound, ...note }) => {
    // Velocity and length are quantized in inaudible steps.
    const [velocity, seconds] = [Math.round(note.velocity * 5) / 5, Math.round(note.seconds * 100) / 100]
    const name = isDrum(sound) ? sound : [sound, note.midi, seconds, velocity].join(' ')
    const cached = renderedNotes.get(name)
    if (cached !== undefined) return cached
    const samples = isDrum(sound) ? renderDrum(sound) : renderNote(sound, { midi: note.midi, seconds, velocity })
    if (cachedSamples + samples.left.length < maxCachedSamples) {
      renderedNotes.set(name, samples)
      cachedSamples += samples.left.length
    }
    return samples
  }
}
