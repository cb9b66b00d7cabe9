import { join } from 'node:path'
import { resolveTemplate } from '../../../../domain/content/templates/index.ts'
import type { VideoRender } from '../../../../domain/renders.ts'
import { encode } from '../encoder.ts'
import { RenderRefusedError } from '../refusal.ts'
import { removeUnknownCharacters } from './fonts.ts'
import type { FrameSize } from './layouts.ts'
import { openPicture } from './picture.ts'
import { openSong } from './song.ts'
import { createStage } from './stage.ts'

const framesPerSecond = 30

export type VideoJob = Omit<VideoRender, 'kind' | 'imageUrl' | 'audioUrl'> & {
  imagePath: string
  audioPath: string
  frame: FrameSize
}

/** Draws and encodes a vertical clip in `folder`. Returns the name of its file. */
export async function renderVideo(
  { frame, ...job }: VideoJob,
  { ffmpeg, folder, log }: { ffmpeg: string; folder: string; log: (message: string) => void },
): Promise<{ file: 'clip.mp4'; durationSeconds: number }> {
  const image = await openPicture(job.imagePath)
  const song = await openSong(ffmpeg, job.audioPath)
  const remaining = song.seconds - job.startSeconds
  if (remaining < 0.5) throw new RenderRefusedError('The clip starts after the end of the song.')
  if (remaining < job.durationSeconds) log(`The song ends early: the clip is ${remaining.toFixed(1)} s long.`)
  const count = Math.floor(Math.min(job.durationSeconds, remaining) * framesPerSecond)
  const seconds = count / framesPerSecond
  if (job.upscale) log('Upscale: not available, because this renderer has no model that adds detail.')
  if (job.lipsync) log('Lip sync: not available, because this renderer has no model of faces.')
  const { text, unknown } = removeUnknownCharacters(job.caption)
  if (unknown.length > 0) log(`Caption: no font here has ${unknown.slice(0, 20).join(' ')}, which is left out.`)
  const draw = createStage({ frame, template: resolveTemplate(job.template), image, text, seconds })
  const frames = function* (): Generator<Uint8Array> {
    for (let index = 0; index < count; index++) {
      if (index > 0 && index % Math.ceil(count / 4) === 0) log(`Drawn ${Math.round((index / count) * 100)} %.`)
      // A copy, because the pipe may not have written the previous frame yet.
      yield Buffer.from(draw(index / framesPerSecond))
    }
  }

  const file = 'clip.mp4'
  const size = `${frame.width}x${frame.height}`
  const frameInput = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', size, '-r', String(framesPerSecond)]
  const clip = ['-ss', String(job.startSeconds), '-t', seconds.toFixed(3), ...song.input]
  const output = [...buildOutputArguments(seconds, frame), join(folder, file)]
  await encode(ffmpeg, ['-y', ...frameInput, '-i', 'pipe:0', ...clip, ...output], frames())
  return { file, durationSeconds: seconds }
}

function buildOutputArguments(seconds: number, { width, height }: FrameSize): string[] {
  const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv']
  const [fadeIn, fadeOut] = [Math.min(0.25, seconds / 4), Math.min(0.7, seconds / 3)]
  const fadeWith = (filter: string): string =>
    `${filter}=t=in:d=${fadeIn},${filter}=t=out:st=${(seconds - fadeOut).toFixed(3)}:d=${fadeOut}`
  const scale = `scale=${width}:${height}:out_color_matrix=bt709:out_range=tv`
  return [
    ['-map', '0:v', '-map', '1:a', '-vf', `${fadeWith('fade')},${scale}`],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-profile:v', 'high', '-pix_fmt', 'yuv420p', ...bt709],
    ['-g', String(framesPerSecond * 2), '-threads', '2'],
    ['-af', `${fadeWith('afade')},apad`, '-c:a', 'aac', '-b:a', '192k', '-ar', '44100', '-ac', '2'],
    ['-t', seconds.toFixed(3), '-movflags', '+faststart', '-map_metadata', '-1', '-fflags', '+bitexact'],
  ].flat()
}
