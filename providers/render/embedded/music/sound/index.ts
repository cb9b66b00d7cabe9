import { createRandom, hashText } from '../random.ts'
import { isDrum, renderDrum, type Drum } from './drums.ts'
import { renderNote, type Instrument } from './instruments.ts'
import type { Stereo } from './signal.ts'

export type Sound = Instrument | Drum

type NoteRequest = { sound: Sound; midi: number; seconds: number; velocity: number }

/** Size of the cache of rendered notes, in samples. A track repeats most notes. */
const maxKept = 12_000_000

/** Renders each distinct note once, as long as the cache has space. */
export function createSounds(): (asked: NoteRequest) => Stereo {
  const known = new Map<string, Stereo>()
  let kept = 0
  return ({ sound, midi, seconds, velocity }) => {
    // Velocity is quantized in inaudible steps.
    const hardness = Math.round(velocity * 5) / 5
    const length = Math.round(seconds * 100) / 100
    const name = isDrum(sound) ? sound : `${sound} ${midi} ${length} ${hardness}`
    const found = known.get(name)
    if (found !== undefined) return found
    const made = isDrum(sound)
      ? renderDrum(sound, createRandom(hashText(sound)))
      : renderNote(sound, { midi, seconds: length, velocity: hardness })
    if (kept + made.left.length < maxKept) {
      known.set(name, made)
      kept += made.left.length
    }
    return made
  }
}
