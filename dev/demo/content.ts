import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { CommandRefusedError, print } from '../say.ts'
import { connectDemo, createChangePrinter, download, poll, printHeading, type Demo } from './client.ts'

type Run = {
  status: string
  metadata: { stage: string; message: string | null } | null
  output: { videoSourceUrl: string; captionText: string; audio: { songTitle: string; startSeconds: number } } | null
  error: { message: string } | null
}

const finalStatuses = new Set(['COMPLETED', 'FAILED', 'CANCELED', 'SYSTEM_FAILURE'])
const artistName = 'Nova of the demo'
const defaultTemplates = ['artist-caption-bedroom', 'album-record-store', 'artist-release-editorial']

/** `npm run demo:content [template ...]`: creates videos from a song and an image and prints their URLs. */
export async function main(args: string[] = []): Promise<void> {
  const demo = await connectDemo()
  printHeading('Add a song and an image to the artist folder of the source repository')
  const song = new Uint8Array(await (await fetch(await createSong(demo))).arrayBuffer())
  await setUpRepository(demo)
  await addFiles(demo, { 'hold-the-line.mp3': song, 'cover.png': drawImage() })
  const { artist } = await demo.json<{ artist: { id: string } }>('POST', '/api/artists', { name: artistName })

  printHeading('Videos')
  const templates = args.length > 0 ? args : defaultTemplates
  const responses = await Promise.all(
    templates.map((template) =>
      demo.json<{ runIds: string[] }>('POST', '/api/content/create', {
        artist_account_id: artist.id,
        template,
        caption_length: 'medium',
      }),
    ),
  )
  const runs = responses.flatMap(({ runIds }, index) => runIds.map((id) => ({ id, template: templates[index] ?? '' })))
  const results = await Promise.all(runs.map((run) => follow(demo, run)))
  printHeading('Results')
  for (const [index, { output, error }] of results.entries()) {
    const { id = '', template = '' } = runs[index] ?? {}
    if (output === null) {
      print(`  ${template}: ${error?.message ?? 'failed'}`)
      continue
    }
    const path = join(tmpdir(), `backline-${id}.mp4`)
    await download(output.videoSourceUrl, path)
    print(`  ${template}: “${output.captionText}”, ${output.audio.songTitle} from ${output.audio.startSeconds} s`)
    print(`    file: ${path}`)
    print(`    URL: ${output.videoSourceUrl}`)
  }
}

async function createSong({ json }: Demo): Promise<string> {
  type GenerationResponse = {
    generation: { id: string; status: string; audio_url: string | null; error_message: string | null }
  }
  const request = {
    prompt: 'bright pop with a piano, 118 bpm',
    lyrics: 'Hold the line until the morning',
    duration: 40,
  }
  const { generation } = await json<GenerationResponse>('POST', '/api/music', request)
  return poll(async () => {
    const current = await json<GenerationResponse>('GET', `/api/music/${generation.id}`)
    if (current.generation.status === 'failed')
      throw new CommandRefusedError(current.generation.error_message ?? 'The run failed.')
    return current.generation.audio_url ?? undefined
  })
}

/** Sets up the account's sandbox and waits until the account has a source repository. */
async function setUpRepository({ json }: Demo): Promise<void> {
  const hasRepository = async () =>
    (await json<{ github_repo: string | null }>('GET', '/api/sandboxes')).github_repo !== null
  if (await hasRepository()) return
  print('  There is no source repository yet: setting it up …')
  const { runId } = await json<{ runId: string }>('POST', '/api/sandboxes/setup', {})
  const { status, error } = await poll(async () => {
    const run = await readRun(json, runId)
    return finalStatuses.has(run.status) ? run : undefined
  })
  if (status !== 'COMPLETED') throw new CommandRefusedError(error?.message ?? 'The run failed.')
}

/** Stages the files and commits them to the source repository. */
async function addFiles({ json, baseUrl }: Demo, contents: Record<string, Uint8Array>): Promise<void> {
  const path = 'artists/nova-of-the-demo'
  const files = []
  for (const [name, content] of Object.entries(contents)) {
    const { clientToken } = await json<{ clientToken: string }>('POST', '/api/sandboxes/staged-file', {
      type: 'blob.generate-client-token',
      payload: { pathname: name, clientPayload: null, multipart: false },
    })
    const uploadResponse = await fetch(`${baseUrl}/blob/?pathname=${name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${clientToken}` },
      body: new Uint8Array(content),
    })
    if (!uploadResponse.ok) throw new CommandRefusedError(`The upload of ${name} returned ${uploadResponse.status}`)
    files.push({ url: ((await uploadResponse.json()) as { url: string }).url, name })
    print(`  ${path}/${name}`)
  }
  await json('POST', '/api/sandboxes/files', { files, path, message: 'Add a song and a cover' })
}

async function readRun(json: Demo['json'], id: string): Promise<Run> {
  const [run] = (await json<{ runs: Run[] }>('GET', `/api/tasks/runs?runId=${id}`)).runs
  if (run === undefined) throw new CommandRefusedError(`Run ${id} was not found.`)
  return run
}

/** Draws an image of hills in the evening. */
function drawImage(): Buffer {
  const [width, height] = [1200, 1600]
  const canvas = createCanvas(width, height)
  const ctx = canvas.getContext('2d')
  const sky = ctx.createLinearGradient(0, 0, 0, height)
  for (const [offset, color] of [
    [0, '#2b2350'],
    [0.45, '#b4513d'],
    [0.7, '#f2a65a'],
  ] as const)
    sky.addColorStop(offset, color)
  ctx.fillStyle = sky
  ctx.fillRect(0, 0, width, height)
  ctx.fillStyle = '#ffe3b0'
  ctx.beginPath()
  ctx.arc(width * 0.62, height * 0.5, 130, 0, 2 * Math.PI)
  ctx.fill()
  for (const [layer, color] of ['#8a3f4a', '#54304f', '#241c38'].entries()) {
    ctx.fillStyle = color
    ctx.beginPath()
    ctx.moveTo(0, height)
    for (let x = 0; x <= width; x += 20)
      ctx.lineTo(x, height * (0.56 + layer * 0.12) + 70 * Math.sin(x / (150 + 60 * layer) + 2 * layer))
    ctx.lineTo(width, height)
    ctx.fill()
  }
  return canvas.toBuffer('image/png')
}

/** Prints the state of a run whenever it changes. */
function follow({ json }: Demo, { id, template }: { id: string; template: string }): Promise<Run> {
  const show = createChangePrinter()
  return poll(async () => {
    const run = await readRun(json, id)
    const { stage = '', message = null } = run.metadata ?? {}
    const isFinal = finalStatuses.has(run.status)
    const state = isFinal ? run.status.toLowerCase() : `${stage}${message === null ? '' : `: ${message}`}`
    show(`${template.padEnd(26)} ${state}`)
    return isFinal ? run : undefined
  })
}
