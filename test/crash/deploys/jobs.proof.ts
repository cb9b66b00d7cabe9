import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMail } from '../../../api/mail/delivery.ts'
import { enqueue, untilEnded } from '../../mail/outbox.ts'
import { startResendServer } from '../../mail/resend-server.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { buildWith, type Change } from '../cluster/builds.ts'
import { startWorkerInProcess, startWorkerProcess } from '../processes.ts'

let world: World
let server: Awaited<ReturnType<typeof startResendServer>>
beforeAll(async () => {
  world = await createWorld({ worker: false })
  server = await startResendServer()
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const firstActivity = '    await attemptDelivery({ mailId })'
/** Adds a timer before the first activity, so that its histories do not replay on the current code. */
const otherOrder: Change[] = [
  {
    find: 'import { CancellationScope, proxyActivities }',
    replace: 'import { CancellationScope, proxyActivities, sleep }',
  },
  { find: firstActivity, replace: `    await sleep('1ms')\n${firstActivity}` },
]
/** Adds an activity that current workers lack. If this activity failed, the workflow of the email would end. */
const otherActivity: Change[] = [
  {
    find: firstActivity,
    replace: `    await (proxyActivities({ startToCloseTimeout: '10s' }) as any).prepareMail({ mailId })\n${firstActivity}`,
  },
]

/** Sends an email whose workflow a worker of the changed build starts but does not complete. */
const startOnChangedBuild = async (changes: Change[], settings: Record<string, string>): Promise<string> => {
  const WORKFLOW_BUNDLE = await buildWith(changes, 'mail/delivery.ts')
  const changedWorker = await startWorkerProcess(world, { ...settings, WORKFLOW_BUNDLE })
  const id = (await enqueue(world)) ?? ''
  startMail(world.deps, id)
  const hasStarted = async () =>
    server.requestKeys.includes(id) || changedWorker.output().includes('prepareMail') || undefined
  await eventually('the first attempt', hasStarted)
  await changedWorker.stop()
  return id
}

// The same sweeps restart both emails, which saves time.
test('emails whose workflow history does not replay or contains an unknown activity are restarted and sent once', async () => {
  const settings = {
    MAIL_FROM: 'Agent <agent@example.org>',
    MAIL_PROVIDER: 'resend',
    RESEND_API_KEY: 're_test',
    RESEND_API_URL: server.url,
  }
  server.faults.refusal = { status: 429, name: 'rate_limit_exceeded', headers: { 'retry-after': '1' } }
  const ids = [await startOnChangedBuild(otherOrder, settings), await startOnChangedBuild(otherActivity, settings)]
  expect(server.received).toHaveLength(0)
  delete server.faults.refusal
  const currentWorker = await startWorkerInProcess(world, settings)
  for (const id of ids) {
    expect(await untilEnded(world, id)).toMatchObject({ status: 'sent' })
    await eventually(
      'the end of the workflow',
      async () => (await world.engine.readState(`mail:${id}`)) === 'ended' || undefined,
    )
  }
  expect(server.received).toHaveLength(ids.length)
  await currentWorker.stop()
})
