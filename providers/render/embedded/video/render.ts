import { join } from 'node:path'
import { resolveTemplate } from '../../../../domain/content/templates/index.ts'
import type { VideoRender } from '../../../../domain/renders.ts'
import { encode } from '../encoder.ts'
import { RenderRefusedError } from '../refusal.ts'
import { removeUnknownCharacters } from './fonts.ts'
import type { FrameSize } from './layouts.ts'
import { openPicture } from './picture.ts'
import { measureVoice, openSong, type Song } from './song.ts'
import { createStage } from './stage.ts'

const framesPerSecond = 30

export type VideoJob = Pick<
  VideoRender,
  'startSeconds' | 'durationSeconds' | 'caption' | 'template' | 'lipsync' | 'upscale'
> & {
  imagePath: string
  audioPath: string
  frame: FrameSize
}

type Tools = { ffmpeg: string; folder: string; log: (message: string) => void }

/** Draws and encodes a vertical clip in `folder`. Returns the name of its file. */
export async function renderVideo(job: VideoJob, tools: Tools): Promise<{ file: 'clip.mp4'; durationSeconds: number }> {
  const { ffmpeg, folder, log } = tools
  const { frame, startSeconds, lipsync } = job
  const image = await openPicture(job.imagePath)
  const song = await openSong(ffmpeg, job.audioPath)
  const seconds = computeClipSeconds(job, song, log)
  logUpscale(image.width, image.height, job, log)
  if (lipsync)
    log('Lip sync: this renderer has no model of faces. The image moves with the loudness of the voice instead.')
  const voice = lipsync ? await measureVoice(ffmpeg, song, { startSeconds, seconds, framesPerSecond }) : []
  const fades = { fadeIn: Math.min(0.25, seconds / 4), fadeOut: Math.min(0.7, seconds / 3) }
  const { text: caption, unknown } = removeUnknownCharacters(job.caption)
  if (unknown.length > 0) log(`Caption: no font here has ${unknown.slice(0, 20).join(' ')}, which is left out.`)
  const scene = { frame, template: resolveTemplate(job.template), image, caption }
  const draw = createStage({ ...scene, fadeInSeconds: fades.fadeIn, fadeOutSeconds: fades.fadeOut })
  const count = Math.round(seconds * framesPerSecond)

  const frames = function* (): Generator<Uint8Array> {
    for (let index = 0; index < count; index++) {
      if (index > 0 && index % Math.ceil(count / 4) === 0) log(`Drawn ${Math.round((index / count) * 100)} %.`)
      const timing = {
        share: index / Math.max(1, count - 1),
        seconds: index / framesPerSecond,
        leftSeconds: (count - 1 - index) / framesPerSecond,
      }
      // A copy, because the pipe may not have written the previous frame yet.
      yield Buffer.from(draw({ ...timing, pulse: voice[index] ?? 0 }))
    }
  }

  const file = 'clip.mp4'
  const size = `${frame.width}x${frame.height}`
  const frameInput = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', size, '-r', String(framesPerSecond)]
  const clip = ['-ss', String(startSeconds), '-t', seconds.toFixed(3), ...song.input]
  const output = [...buildOutputArguments(seconds, frame, fades), join(folder, file)]
  await encode(ffmpeg, ['-y', ...frameInput, '-i', 'pipe:0', ...clip, ...output], frames())
  return { file, durationSeconds: seconds }
}

/** Returns the length of the requested clip within the song. Throws if the clip starts after the end of the song. */
function computeClipSeconds({ startSeconds, durationSeconds }: VideoJob, song: Song, log: Tools['log']): number {
  const remaining = song.seconds - startSeconds
  if (remaining < 0.5) throw new RenderRefusedError('The clip starts after the end of the song.')
  if (remaining < durationSeconds) log(`The song ends early: the clip is ${remaining.toFixed(1)} s long.`)
  return Math.floor(Math.min(durationSeconds, remaining) * framesPerSecond) / framesPerSecond
}

function logUpscale(width: number, height: number, { frame, upscale }: VideoJob, log: Tools['log']): void {
  if (!upscale) return
  const isSmall = width < frame.width || height < frame.height
  const enlargedText = `enlarged from ${width}x${height} by resampling; this renderer has no model that adds detail`
  log(`Upscale: ${isSmall ? enlargedText : 'not needed, the image is large enough'}.`)
}

function buildOutputArguments(
  seconds: number,
  { width, height }: FrameSize,
  fades: { fadeIn: number; fadeOut: number },
): string[] {
  const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv']
  const sound = `afade=t=in:d=${fades.fadeIn},afade=t=out:st=${(seconds - fades.fadeOut).toFixed(3)}:d=${fades.fadeOut},apad`
  return [
    ['-map', '0:v', '-map', '1:a', '-vf', `scale=${width}:${height}:out_color_matrix=bt709:out_range=tv`],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-profile:v', 'high', '-pix_fmt', 'yuv420p', ...bt709],
    ['-g', String(framesPerSecond * 2), '-threads', '2'],
    ['-af', sound, '-c:a', 'aac', '-b:a', '192k', '-ar', '44100', '-ac', '2'],
    ['-t', seconds.toFixed(3), '-movflags', '+faststart', '-map_metadata', '-1', '-fflags', '+bitexact'],
  ].flat()
}
