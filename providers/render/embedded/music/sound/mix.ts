import type { Score, ScoreNote } from '../composing/score.ts'
import type { Part } from '../composing/sections.ts'
import { sampleRate, type Stereo } from './signal.ts'
import { createSounds } from './sounds.ts'
import { createSpace } from './space.ts'

/** Levels of the parts. `wet`: level in the room. `isPumped`: whether the kick lowers the part. */
const channels: Record<Part, { gain: number; wet: number; isPumped: boolean }> = {
  drums: { gain: 0.62, wet: 0.04, isPumped: false },
  bass: { gain: 0.4, wet: 0, isPumped: true },
  chords: { gain: 0.2, wet: 0.3, isPumped: true },
  pad: { gain: 0.22, wet: 0.35, isPumped: true },
  arpeggio: { gain: 0.26, wet: 0.4, isPumped: true },
  lead: { gain: 0.34, wet: 0.35, isPumped: false },
  effects: { gain: 0.26, wet: 0.2, isPumped: false },
}

/** Number of samples that are mixed at a time. */
const blockSize = 2048
const pumpSeconds = 0.17

/** Mixes the track without loudness normalization. `onProgress` receives the completed fraction. */
export function mix(score: Score, onProgress: (share: number) => void): Stereo {
  const { genre, notes, seconds, tempo } = score
  const length = Math.round(seconds * sampleRate)
  const { left, right }: Stereo = { left: new Float32Array(length), right: new Float32Array(length) }
  const [levels, send] = [new Float32Array(blockSize), new Float32Array(blockSize)]
  const renderSound = createSounds()
  const pump = createPump(notes, genre.feel.pump)
  const addRoom = createSpace(genre.feel.space, 45 / tempo)
  let playing: { note: ScoreNote; samples: Stereo; start: number }[] = []
  let next = 0
  for (let from = 0; from < length; from += blockSize) {
    const end = Math.min(length, from + blockSize)
    for (let index = from; index < end; index++) levels[index - from] = pump(index)
    send.fill(0)
    for (let note = notes[next]; note !== undefined && note.at * sampleRate < end; note = notes[++next])
      playing.push({ note, samples: renderSound(note), start: Math.round(note.at * sampleRate) })
    for (const { note, samples, start } of playing) {
      const { gain, wet, isPumped } = channels[note.part]
      const noteEnd = Math.min(end, start + samples.left.length)
      for (let index = Math.max(from, start); index < noteEnd; index++) {
        const level = gain * note.velocity * (isPumped ? (levels[index - from] ?? 1) : 1)
        const [l, r] = [(samples.left[index - start] ?? 0) * level, (samples.right[index - start] ?? 0) * level]
        left[index] = (left[index] ?? 0) + l
        right[index] = (right[index] ?? 0) + r
        send[index - from] = (send[index - from] ?? 0) + (l + r) * wet
      }
    }
    playing = playing.filter(({ start, samples }) => start + samples.left.length > end)
    for (let index = from; index < end; index++) {
      const [l, r] = addRoom(send[index - from] ?? 0)
      left[index] = (left[index] ?? 0) + l
      right[index] = (right[index] ?? 0) + r
    }
    onProgress(end / length)
  }
  return { left, right }
}

/** Returns the sidechain gain of each sample in turn. Each kick lowers the gain. */
function createPump(notes: ScoreNote[], depth: number): (index: number) => number {
  const kicks = notes.filter(({ sound }) => sound === 'kick').map(({ at }) => Math.round(at * sampleRate))
  let [next, latest] = [0, Number.NEGATIVE_INFINITY]
  return (index) => {
    if (kicks[next] === index) latest = kicks[next++] ?? 0
    const t = (index - latest) / sampleRate
    return t > pumpSeconds * 2 ? 1 : 1 - depth * Math.min(1, t * 250) * Math.exp(-t / (pumpSeconds / 2))
  }
}
