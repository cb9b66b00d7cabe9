import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { World, WorldOptions } from '../world/world.ts'
import { createMusicApi } from './music-api.ts'

type Scenario = { options?: WorldOptions; play: (world: World) => Promise<string> }

const playGeneration =
  (before: (world: World) => Promise<void> = async () => {}): Scenario['play'] =>
  async (world) => {
    const { findRunId, start, untilEnded } = createMusicApi(() => world)
    await before(world)
    const payer = await world.makeAccount({ credits: 100_000 })
    const id = await start(payer)
    await untilEnded(payer, id)
    return findRunId(id)
  }

/** Replaces the folder of tracks with a file so that no track can be stored. */
const blockStore = async (world: World): Promise<void> => {
  const folder = join(world.config.DATA_DIR, 'media')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'music'), '')
}

/** Scenarios of the workflow that renders music, for the history recorder. */
export const musicScenarios: Record<string, Scenario> = {
  'render-music': { play: playGeneration() },
  'render-music-failed': { options: { settings: { FFMPEG_PATH: '/nowhere/ffmpeg' } }, play: playGeneration() },
  'render-music-not-stored': { play: playGeneration(blockStore) },
}
