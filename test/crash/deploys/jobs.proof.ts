import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMail } from '../../../api/mail/delivery.ts'
import { enqueue, untilEnded } from '../../mail/outbox.ts'
import { startResendServer } from '../../mail/resend-server.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { buildWith, type Change } from '../cluster/builds.ts'
import { startWorkerHere, startWorkerProcess } from '../processes.ts'

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

const first = '    await attemptDelivery({ mailId })'
/** An additional timer before the first activity: its histories do not replay on the current code. */
const otherOrder: Change[] = [
  {
    find: 'import { CancellationScope, proxyActivities }',
    replace: 'import { CancellationScope, proxyActivities, sleep }',
  },
  { find: first, replace: `    await sleep('1ms')\n${first}` },
]
/** An activity that current workers lack, at a position where a failed activity would end the email's workflow. */
const otherActivity: Change[] = [
  {
    find: first,
    replace: `    await (proxyActivities({ startToCloseTimeout: '10s' }) as any).prepareMail({ mailId })\n${first}`,
  },
]

/** Sends an email that a worker of the other build has started and not finished. */
const beginElsewhere = async (changes: Change[], settings: Record<string, string>): Promise<string> => {
  const WORKFLOW_BUNDLE = await buildWith(changes, 'mail/delivery.ts')
  const later = await startWorkerProcess(world, { ...settings, WORKFLOW_BUNDLE })
  const id = (await enqueue(world)) ?? ''
  startMail(world.deps, id)
  const isUnderWay = async () => server.requestKeys.includes(id) || later.output().includes('prepareMail') || undefined
  await eventually('the first attempt', isUnderWay)
  await later.stop()
  return id
}

// Both emails wait for the same sweeper rounds, which take time.
test('emails whose history has another order or an activity that no worker has start anew and are sent once', async () => {
  const settings = {
    MAIL_FROM: 'Agent <agent@example.org>',
    MAIL_PROVIDER: 'resend',
    RESEND_API_KEY: 're_test',
    RESEND_API_URL: server.url,
  }
  server.trouble.refusal = { status: 429, name: 'rate_limit_exceeded', headers: { 'retry-after': '1' } }
  const ids = [await beginElsewhere(otherOrder, settings), await beginElsewhere(otherActivity, settings)]
  expect(server.received).toHaveLength(0)
  delete server.trouble.refusal
  const today = await startWorkerHere(world, settings)
  for (const id of ids) {
    expect(await untilEnded(world, id)).toMatchObject({ status: 'sent' })
    await eventually(
      'the end of the workflow',
      async () => (await world.engine.readState(`mail:${id}`)) === 'ended' || undefined,
    )
  }
  expect(server.received).toHaveLength(ids.length)
  await today.stop()
})
