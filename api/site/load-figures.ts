import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { PeerFigures, Recording, type Figures } from '../../domain/site/figures.ts'
import { contentFolder } from './load-content.ts'

/** Version in package.json, which a build embeds. */
export const { version } = packageFile

/** Reads the measurements that the home page shows. */
export async function loadFigures(): Promise<Figures> {
  const [peers, recording] = await Promise.all(['peers', 'recording'].map(readFigures))
  return { peers: PeerFigures.parse(peers), recording: Recording.parse(recording) }
}

async function readFigures(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(contentFolder, 'figures', `${name}.json`), 'utf8')) as unknown
}
