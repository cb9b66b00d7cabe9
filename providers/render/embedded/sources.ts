import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { VideoRender } from '../../../domain/renders.ts'
import type { StorePort } from '../../store/index.ts'
import { RenderRefusedError } from './refusal.ts'

const maxBytes = 64 * 1024 * 1024

/** Copies the image and the song of a clip from the object store into `folder`. Returns their names. Sends no HTTP requests. */
export async function fetchSources(store: StorePort, { imageUrl, audioUrl }: VideoRender, folder: string) {
  return {
    imagePath: await fetchSource(store, imageUrl, folder, 'picture'),
    audioPath: await fetchSource(store, audioUrl, folder, 'song'),
  }
}

async function fetchSource(store: StorePort, url: string, folder: string, name: string): Promise<string> {
  const key = store.parseKey(url)
  const source = key === undefined ? undefined : await store.open(key)
  if (source === undefined) throw new RenderRefusedError('The image or the song no longer exists.')
  if (source.size > maxBytes) {
    source.content.destroy()
    throw new RenderRefusedError('The image or the song is too large.')
  }
  await pipeline(source.content, createWriteStream(join(folder, name), { mode: 0o600 }))
  return name
}
