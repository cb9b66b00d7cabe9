import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encode, hasEncoder } from '../encoder.ts'
import { master } from './mixing/master.ts'
import { mix } from './mixing/mix.ts'
import { describeDirection, type MusicRequest } from './request.ts'
import { compose } from './composing/score.ts'
import { sampleRate, type Stereo } from './sound/signal.ts'
import { encodeWav } from './wav.ts'

/** Yields interleaved floats, one second at a time. */
const interleave = function* ({ left, right }: Stereo): Generator<Uint8Array> {
  for (let from = 0; from < left.length; from += sampleRate) {
    const frames = Math.min(sampleRate, left.length - from)
    const samples = new Float32Array(frames * 2)
    for (let index = 0; index < frames; index++) {
      samples[2 * index] = left[from + index] ?? 0
      samples[2 * index + 1] = right[from + index] ?? 0
    }
    yield new Uint8Array(samples.buffer)
  }
}

/** Rendered track. `file` is a name in the output folder. */
export type RenderedMusic = { file: 'track.mp3' | 'track.wav'; durationSeconds: number }

/**
 * Composes, mixes and encodes a track into `folder`, as MP3 if ffmpeg can encode it, otherwise as WAV. The same request
 * gives the same samples.
 */
export async function renderMusic(
  request: MusicRequest,
  { ffmpeg, folder, log }: { ffmpeg: string | undefined; folder: string; log: (message: string) => void },
): Promise<RenderedMusic> {
  const score = compose(request)
  log(`Composed: ${describeDirection(score)}.`)
  log(`Sections, in bars: ${score.sections.map(({ name, bars }) => `${name} ${bars}`).join(', ')}.`)
  if (request.lyrics.trim() !== '')
    log('This renderer does not sing: the lead plays a note for each syllable of the lyrics.')
  let reported = 0
  const track = mix(score, (share) => {
    const quarter = Math.floor(share * 4)
    if (quarter > reported && quarter < 4) log(`Played ${quarter * 25} %.`)
    reported = Math.max(reported, quarter)
  })
  log(`Mastered to ${master(track).toFixed(1)} LUFS.`)
  const durationSeconds = track.left.length / sampleRate
  if (ffmpeg === undefined || !(await hasEncoder(ffmpeg, 'libmp3lame'))) {
    log('This machine has no ffmpeg that encodes MP3: the track is a WAV file.')
    await writeFile(join(folder, 'track.wav'), encodeWav(track))
    return { file: 'track.wav', durationSeconds }
  }
  const file = 'track.mp3'
  const output = ['-map_metadata', '-1', '-fflags', '+bitexact', '-c:a', 'libmp3lame', '-b:a', '192k']
  const input = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '2', '-i', 'pipe:0']
  await encode(ffmpeg, ['-y', ...input, ...output, join(folder, file)], interleave(track))
  return { file, durationSeconds }
}
