import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { newSeed } from './command.ts'
import { listProcesses } from '../cluster/leftovers.ts'
import { createNemesis, type FaultKind } from '../faults/nemesis.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'
import { createRandom, type Random } from '../../world/random.ts'
import { describeInjection } from './report.ts'
import { runRound } from './round.ts'

type Campaign = {
  /** Returns the faults in the order of their injection. */
  kinds: (random: Random) => FaultKind[]
  apis: number
  users: number
  minRuns: number
}

/** Declares a test that runs a cluster under faults and checks its records. `CHAOS_SEED` repeats an earlier run. */
export function describeCampaign({ kinds: chooseKinds, apis, users, minRuns }: Campaign): void {
  vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 })
  const seed = Number(process.env['CHAOS_SEED'] ?? newSeed())
  const random = createRandom(seed)
  const kinds = chooseKinds(random)

  let services: ExternalServices
  let cluster: Cluster
  let folder: string
  beforeAll(async () => {
    services = await createExternalServices()
    folder = await mkdtemp(join(tmpdir(), 'backline-chaos-'))
    cluster = await startCluster({ workers: 2, apis, folder, modelUrl: services.modelUrl, built: inject('built') })
  })
  afterAll(async () => {
    const leftovers = await cluster.close()
    await services.close()
    expect(leftovers).toEqual([])
    expect(listProcesses(folder)).toEqual([])
  })

  // A retry would hide a violation.
  test(`every guarantee holds under ${kinds.length} faults (CHAOS_SEED=${seed})`, { retry: 0 }, async () => {
    const nemesis = createNemesis({
      cluster,
      random: random.fork('nemesis'),
      requests: services.requests,
      temporalDownMs: 2000,
    })
    const pauses = random.fork('pauses')
    const round = await runRound({
      cluster,
      services,
      nemesis,
      seed,
      random,
      users,
      kinds,
      pauseMs: () => pauses.between(200, 1500),
      minRuns,
    })
    const injected = round.injections.map(describeInjection).join('\n')
    expect(round.violations, injected).toEqual([])
    expect(round.anomalies, injected).toEqual([])
    expect(cluster.errorLines(), injected).toEqual([])
    expect(round.injections.map(({ fault }) => fault.observed)).toEqual(kinds.map(() => true))
  })
}
