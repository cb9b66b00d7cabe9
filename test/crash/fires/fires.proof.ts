import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { eventually } from '../../world/world.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import type { PartId } from '../cluster/parts.ts'
import { listAnomalies, fireSettings, createFiresApi, listFires, type DueTask } from './fires.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'

let services: ExternalServices
let cluster: Cluster
beforeAll(async () => {
  services = await createExternalServices()
  const folder = await mkdtemp(join(tmpdir(), 'backline-fires-'))
  const { modelUrl } = services
  cluster = await startCluster({
    workers: 1,
    apis: 1,
    folder,
    modelUrl,
    built: inject('built'),
    settings: fireSettings,
  })
})
afterAll(async () => {
  expect(await cluster.close()).toEqual([])
  await services.close()
})

const victims: PartId[] = ['worker-1', 'temporal', 'postgres', 'api-1']
const buildTime = (number: number, second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, number, second))

const countFires = async (): Promise<number> => {
  const [row] = await cluster.db<{ count: number }[]>`
    select count(*)::int as count from background_runs where nominal_at is not null`
  return row?.count ?? 0
}

/** Fires a nominal time of the tasks, and kills a part as soon as the first run exists. */
const killDuringFires = async (tasks: DueTask[], victim: PartId, round: number): Promise<void> => {
  const before = await countFires()
  await createFiresApi(cluster).fire(tasks, { start: buildTime(round - 1, 30), end: buildTime(round, 30) })
  await eventually('the first run', async () => ((await countFires()) > before ? true : undefined))
  expect((await cluster.kill(victim)).observed).toBe(true)
  await cluster.untilReady()
}

test('each nominal time has one run and one chat run even if a part is killed while tasks are due', async () => {
  const { makeTask, untilEnded } = createFiresApi(cluster)
  const tasks = [await makeTask('0-29 0 1 1 *'), await makeTask('*/1 0 1 1 *')]
  for (const [round, victim] of victims.entries()) await killDuringFires(tasks, victim, round)
  const times = victims.map((_, number) => buildTime(number, 0))
  await untilEnded(tasks.length * times.length, 240_000)
  expect(listAnomalies(await listFires(cluster), new Map(tasks.map(({ id }) => [id, times])))).toEqual([])
})
