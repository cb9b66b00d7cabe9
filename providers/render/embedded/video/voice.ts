import { encode } from '../encoder.ts'

const rate = 8000

/** How loud the band of voices is at each frame of a clip: 0 to 1, smoothed. */
export const followVoice = async (
  ffmpeg: string,
  clip: { path: string; startSeconds: number; seconds: number; framesPerSecond: number },
): Promise<number[]> => {
  const { path, startSeconds, seconds, framesPerSecond } = clip
  const part = ['-ss', String(startSeconds), '-t', String(seconds), '-i', path]
  const band = ['-af', 'highpass=f=250,lowpass=f=3200', '-ac', '1', '-ar', String(rate)]
  const bytes = await encode(ffmpeg, [...part, ...band, '-f', 's16le', 'pipe:1'])
  const perFrame = rate / framesPerSecond
  const powers = Array.from({ length: Math.ceil(seconds * framesPerSecond) }, (_, frame) => {
    let sum = 0
    for (let at = Math.floor(frame * perFrame); at < (frame + 1) * perFrame; at++)
      sum += at * 2 + 1 < bytes.length ? bytes.readInt16LE(at * 2) ** 2 : 0
    return Math.sqrt(sum / perFrame)
  })
  const loudest = Math.max(1, ...powers)
  let level = 0
  return powers.map((power) => {
    const target = power / loudest
    // Up at once, down slowly, as a mouth that sings.
    level += (target - level) * (target > level ? 0.6 : 0.18)
    return level
  })
}
