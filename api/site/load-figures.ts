import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import packageFile from '../../package.json' with { type: 'json' }
import { PeerFigures, Recording, type Figures } from '../../domain/site/figures.ts'

/** Version of the program. A build contains it. */
export const { version } = packageFile

/** Reads the measurements that the home page shows. */
export async function loadFigures(): Promise<Figures> {
  const [peers, recording] = await Promise.all(
    ['peers.json', 'recording.json'].map((name) => read([`content/figures/${name}`, `../../content/figures/${name}`])),
  )
  return { peers: PeerFigures.parse(peers), recording: Recording.parse(recording) }
}

/** `places`: next to the bundle of a build, or in the source tree. */
async function read(places: readonly string[]): Promise<unknown> {
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync)
  if (found === undefined) throw new Error(`A file of the site is missing: ${places.join(' or ')}`)
  return JSON.parse(await readFile(found, 'utf8')) as unknown
}
