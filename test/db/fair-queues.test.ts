import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRenderJobs } from '../../db/music/embedded-renders.ts'
import { admitNextRun, readAdmissionState } from '../../db/runs/admission.ts'
import { acceptHeadless, promptMessage } from '../../db/turns/headless.ts'
import { personOrigin } from '../../domain/runs/origin.ts'
import { subscribe } from '../credits/money.ts'
import { track } from '../media/render-world.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

let world: World
/** Two accounts on the free plan, and one on the starter plan, which has twice their weight. */
let accounts: [name: string, account: TestAccount][]
beforeAll(async () => {
  world = await createWorld({ worker: false })
  const [first, second, paying] = [await world.makeAccount(), await world.makeAccount(), await world.makeAccount()]
  await subscribe(world.db, paying.id, { plan: 'starter' })
  accounts = [
    ['first', first],
    ['second', second],
    ['paying', paying],
  ]
})
afterAll(() => world.close())

const sortRange = (claimedNames: string[], from: number, to: number) =>
  claimedNames.slice(from, to).toSorted((a, b) => a.localeCompare(b))

test('slots are assigned by weighted round robin over accounts, and to the runs of an account in their order', async () => {
  const { db, config } = world
  const claim = (accountLimits: { held: number; starting: number }) =>
    admitNextRun(db, { holder: 1, accountLimits, enterpriseDomains: config.plans.enterpriseDomains })
  const names = new Map<string, string>()
  for (const [name, { id: accountId }] of accounts)
    for (let run = 1; run <= 6; run++) {
      const messages = [promptMessage(randomUUID())]
      const origin = personOrigin('api')
      const turn = { accountId, title: '', organizationId: null, artistId: null, origin, modelId: 'm', messages }
      names.set((await db.begin((tx) => acceptHeadless(tx, turn))).runId, `${name} ${run}`)
    }
  const claimedNames: string[] = []
  for (let attempt = 0; attempt < 16; attempt++) {
    const run = await claim({ held: 5, starting: 6 })
    claimedNames.push((run && names.get(run.id)) ?? 'none')
  }
  expect(sortRange(claimedNames, 0, 4)).toEqual(['first 1', 'paying 1', 'paying 2', 'second 1'])
  expect(sortRange(claimedNames, 4, 8)).toEqual(['first 2', 'paying 3', 'paying 4', 'second 2'])
  expect(sortRange(claimedNames, 8, 11)).toEqual(['first 3', 'paying 5', 'second 3'])
  // The limit is five runs per account. Another run waits until one of these runs ends.
  expect(sortRange(claimedNames, 11, 15)).toEqual(['first 4', 'first 5', 'second 4', 'second 5'])
  expect(claimedNames[15]).toBe('none')
  await db`update runs set status = 'completed' where id = ${[...names].find(([, name]) => name === 'paying 2')?.[0] ?? ''}`
  // The limit of starting runs is reached. The next run waits until another run begins its first step.
  expect(await claim({ held: 5, starting: 4 })).toBeUndefined()
  expect(await readAdmissionState(db, 1)).toEqual({ held: 14, starting: 14, waiting: true })
  await db`update stream_head set batch = 1 where run_id = ${[...names].find(([, name]) => name === 'paying 1')?.[0] ?? ''}`
  expect(await readAdmissionState(db, 1)).toEqual({ held: 14, starting: 13, waiting: true })
  const next = await claim({ held: 5, starting: 4 })
  expect(next && names.get(next.id)).toBe('paying 6')
})

test('renders start by round robin over their accounts, within the share of each account in a process', async () => {
  const { db, config } = world
  const jobs = createRenderJobs(db, 1, config.plans.enterpriseDomains)
  for (const [name, { id }] of accounts)
    for (let render = 1; render <= 5; render++) await jobs.insert(`${name} ${render}`, track(), id)
  await jobs.insert('own 1', track())
  const claimedNames: string[] = []
  for (let claim = 0; claim < 9; claim++) {
    const claimed = await jobs.claim([], 1)
    if (claimed === undefined) throw new Error('no render is waiting')
    claimedNames.push(claimed.id)
    await jobs.update(claimed, { state: 'failed' })
  }
  expect(sortRange(claimedNames, 0, 5)).toEqual(['first 1', 'own 1', 'paying 1', 'paying 2', 'second 1'])
  expect(sortRange(claimedNames, 5, 9)).toEqual(['first 2', 'paying 3', 'paying 4', 'second 2'])
  const held: string[] = []
  for (let claim = 0; claim < 6; claim++) held.push((await jobs.claim(held, 2))?.id ?? 'none')
  expect(sortRange(held, 0, 6)).toEqual(['first 3', 'first 4', 'none', 'paying 5', 'second 3', 'second 4'])
  expect(held[5]).toBe('none')
})
