import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { main } from '../../dev/demo/valuation.ts'
import { createWorld } from '../world/world.ts'
import type { World } from '../world/world.ts'
import { endMeasurement, makeRunning } from './measured.ts'

let world: World
let folder: string
beforeAll(async () => {
  world = await createWorld()
  folder = await mkdtemp(join(tmpdir(), 'backline-demo-'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await world.close()
  await rm(folder, { recursive: true })
})

test('the demo shows the band, where it comes from, and that the same call again costs nothing', async () => {
  const account = await world.makeAccount()
  await writeFile(join(folder, 'local.json'), JSON.stringify({ baseUrl: world.baseUrl, apiKey: account.key }))
  vi.stubEnv('DATA_DIR', folder)
  // The test runner has one of its own, which is no address.
  vi.stubEnv('BASE_URL', '')
  const { snapshotId, songCount } = await makeRunning(world, account.id, 'demo1')
  await endMeasurement(world, snapshotId, 'done')
  const said: string[] = []
  const shown = vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
  await main(['demo1']).finally(() => shown.mockRestore())
  expect(said).toEqual([
    expect.stringContaining('demo1'),
    '  a measurement that is younger than an hour was there: nothing had to be measured',
    expect.stringContaining(`${songCount} songs measured, for 0 credits`),
    expect.stringMatching(/^ {2}·+├█+┼█+┤$/),
    expect.stringMatching(/^ {2}low \$[\d,]+ {3}middle \$[\d,]+ {3}high \$[\d,]+$/),
    expect.stringContaining('Where'),
    expect.stringContaining(`${(songCount * 1_000_000).toLocaleString('en-US')} streams of ${songCount} songs, over `),
    expect.stringMatching(/streams a year x 0.0035 USD = \$[\d,]+$/),
    expect.any(String),
    expect.any(String),
    expect.stringContaining('again'),
    '  a measurement that is younger than an hour was there: nothing had to be measured',
    '  the same catalog, for 0 credits',
  ])
})
