import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertJob } from '../../../db/jobs/jobs.ts'
import { newJobId } from '../../../domain/fields/ids.ts'
import { startWorkerProcess } from '../../crash/processes.ts'
import { createWorld, type World } from '../../world/world.ts'
import { createPersonalApi } from './personal-api.ts'

let world: World
let personalApi: ReturnType<typeof createPersonalApi>
beforeAll(async () => {
  world = await createWorld({ worker: false })
  personalApi = createPersonalApi(world)
})
afterAll(() => world.close())

const start = () => Promise.reject(new Error('away'))

it(
  'the sweeper starts runs that Temporal never received, ends cancelled runs and fails lost runs',
  {
    timeout: 400_000,
  },
  async () => {
    const [started, cancelled, lost] = [await world.makeAccount(), await world.makeAccount(), await world.makeAccount()]
    const { runId } = await world.withEngine(
      { ...world.engine, start },
      async () => (await personalApi.setup(started)).body,
    )
    const insert = async (accountId: string): Promise<string> => {
      const id = newJobId()
      const run = {
        id,
        accountId,
        jobKind: 'setup-sandbox',
        cancellable: true,
        version: 'test',
        payload: { accountId },
      }
      expect(await insertJob(world.db, run)).toBe(true)
      return id
    }
    const cancelledId = await insert(cancelled.id)
    const lostId = await insert(lost.id)
    await world.db`
    update background_runs set cancel_requested_at = now() - interval '1 minute' where id = ${cancelledId}`
    await world.db`
    update background_runs set status = 'EXECUTING', started_at = now(), engine_started_at = now() - interval '1 minute'
    where id = ${lostId}`
    const worker = await startWorkerProcess(world)
    expect(await personalApi.untilEnded(cancelled, cancelledId)).toMatchObject({ status: 'CANCELED' })
    expect(await personalApi.untilEnded(lost, lostId)).toMatchObject({
      status: 'SYSTEM_FAILURE',
      error: { name: 'RunLost', message: 'The run was lost' },
    })
    expect(await personalApi.untilEnded(started, runId)).toMatchObject({ status: 'COMPLETED' })
    await worker.stop()
  },
)
