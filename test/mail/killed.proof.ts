import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMail } from '../../api/mail/delivery.ts'
import { startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { enqueue, readSend, untilEnded } from './outbox.ts'
import { startResendServer } from './resend-server.ts'
import { startSmtpServer } from './smtp-server.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const from = { MAIL_FROM: 'Agent <agent@example.org>' }

/** Expires the claim of a killed worker immediately. */
const expireClaim = (id: string) =>
  world.db`update email_send_log set claimed_until = now() where id = ${id} and claimed_until > now()`

/**
 * Kills a worker after the provider has accepted the email but before the worker receives the response. Then starts a
 * second worker and waits until the email has ended.
 */
const killAfterAcceptance = async (
  settings: Record<string, string>,
  isAccepted: () => boolean,
  recover: () => void,
) => {
  const first = await startWorkerProcess(world, settings)
  const id = (await enqueue(world, { to: [`${randomUUID()}@example.com`] })) ?? ''
  startMail(world.deps, id)
  await eventually('the acceptance of the email', async () => isAccepted() || undefined)
  await first.kill()
  expect(await readSend(world, id)).toMatchObject({ status: 'queued' })
  recover()
  await expireClaim(id)
  const second = await startWorkerInProcess(world, settings)
  const endedSend = await untilEnded(world, id)
  await eventually('the end of the workflow', async () =>
    (await world.engine.readState(`mail:${id}`)) === 'ended' ? true : undefined,
  )
  await second.stop()
  return { id, endedSend }
}

test('after a worker is killed, a provider with idempotency keys receives the same key again and sends once', async () => {
  const server = await startResendServer()
  try {
    server.faults.hold = new Promise(() => {})
    const settings = { ...from, MAIL_PROVIDER: 'resend', RESEND_API_KEY: 're_test', RESEND_API_URL: server.url }
    const { id, endedSend } = await killAfterAcceptance(
      settings,
      () => server.received.length === 1,
      () => delete server.faults.hold,
    )
    expect(server.requestKeys.length).toBeGreaterThan(1)
    expect(new Set(server.requestKeys)).toEqual(new Set([id]))
    expect(server.received).toHaveLength(1)
    expect(endedSend).toEqual({ status: 'sent', messageId: server.received[0]?.id, attempts: 2, queued: false })
  } finally {
    await server.close()
  }
})

test('after a worker is killed, an SMTP server receives no second attempt, and the log shows the sent email as failed', async () => {
  const server = await startSmtpServer()
  try {
    server.faults.message = 'silent'
    const { endedSend } = await killAfterAcceptance(
      { ...from, MAIL_PROVIDER: 'smtp', SMTP_URL: server.url },
      () => server.received.length === 1,
      () => delete server.faults.message,
    )
    expect(server.received).toHaveLength(1)
    expect(endedSend).toEqual({ status: 'send_failed', messageId: null, attempts: 2, queued: false })
  } finally {
    await server.close()
  }
})
