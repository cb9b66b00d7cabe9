import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encode, hasEncoder } from '../encoder.ts'
import { compose } from './composing/score.ts'
import { describeDirection, type MusicRequest } from './request.ts'
import { master, mix } from './sound/mix.ts'
import { sampleRate } from './sound/sounds.ts'
import { encodeWav } from './wav.ts'

/**
 * Composes, mixes and encodes a track into `folder`, as MP3 if ffmpeg can encode it, otherwise as WAV. The same request
 * gives the same samples. Returns the name of the file.
 */
export async function renderMusic(
  request: MusicRequest,
  { ffmpeg, folder, log }: { ffmpeg: string | undefined; folder: string; log: (message: string) => void },
): Promise<{ file: 'track.mp3' | 'track.wav'; durationSeconds: number }> {
  const score = compose(request)
  log(`Composed: ${describeDirection(score)}.`)
  log(`Sections, in bars: ${score.sections.map(({ name, bars }) => `${name} ${bars}`).join(', ')}.`)
  if (request.lyrics.trim() !== '')
    log('This renderer does not sing: the lead plays a note for each syllable of the lyrics.')
  const track = mix(score, log)
  master(track)
  log('Mastered to about -14 LUFS.')
  const durationSeconds = track.left.length / sampleRate
  const wav = encodeWav(track)
  if (ffmpeg === undefined || !(await hasEncoder(ffmpeg, 'libmp3lame'))) {
    log('This machine has no ffmpeg that encodes MP3: the track is a WAV file.')
    await writeFile(join(folder, 'track.wav'), wav)
    return { file: 'track.wav', durationSeconds }
  }
  const output = ['-map_metadata', '-1', '-fflags', '+bitexact', '-c:a', 'libmp3lame', '-b:a', '192k']
  await encode(ffmpeg, ['-y', '-f', 'wav', '-i', 'pipe:0', ...output, join(folder, 'track.mp3')], [wav])
  return { file: 'track.mp3', durationSeconds }
}
