import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMail } from '../../api/mail/delivery.ts'
import { startWorkerHere, startWorkerProcess } from '../crash/processes.ts'
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

/** The claim of a killed worker would else be waited for. */
const endClaim = (id: string) =>
  world.db`update email_send_log set claimed_until = now() where id = ${id} and claimed_until > now()`

/** Kills a worker that has handed the email over and does not know it yet; another one continues. */
const killInBetween = async (settings: Record<string, string>, handedOver: () => boolean, recover: () => void) => {
  const first = await startWorkerProcess(world, settings)
  const id = (await enqueue(world, { to: [`${randomUUID()}@example.com`] })) ?? ''
  startMail(world.deps, id)
  await eventually('the hand-over', async () => handedOver() || undefined)
  await first.kill()
  expect(await readSend(world, id)).toMatchObject({ status: 'queued' })
  recover()
  await endClaim(id)
  const second = await startWorkerHere(world, settings)
  const ended = await untilEnded(world, id)
  await eventually('the end of the workflow', async () =>
    (await world.engine.readState(`mail:${id}`)) === 'ended' ? true : undefined,
  )
  await second.stop()
  return { id, ended }
}

test('a provider that knows keys gets a repeat with the same one, and sends once', async () => {
  const server = await startResendServer()
  try {
    server.trouble.hold = new Promise(() => {})
    const settings = { ...from, MAIL_PROVIDER: 'resend', RESEND_API_KEY: 're_test', RESEND_API_URL: server.url }
    const { id, ended } = await killInBetween(
      settings,
      () => server.received.length === 1,
      () => delete server.trouble.hold,
    )
    expect(server.asked.length).toBeGreaterThan(1)
    expect(new Set(server.asked)).toEqual(new Set([id]))
    expect(server.received).toHaveLength(1)
    expect(ended).toEqual({ status: 'sent', messageId: server.received[0]?.id, attempts: 2, queued: false })
  } finally {
    await server.close()
  }
})

test('an SMTP server gets no repeat: the email is out, and the log does not state it', async () => {
  const server = await startSmtpServer()
  try {
    server.trouble.words = 'silent'
    const { ended } = await killInBetween(
      { ...from, MAIL_PROVIDER: 'smtp', SMTP_URL: server.url },
      () => server.received.length === 1,
      () => delete server.trouble.words,
    )
    expect(server.received).toHaveLength(1)
    expect(ended).toEqual({ status: 'send_failed', messageId: null, attempts: 2, queued: false })
  } finally {
    await server.close()
  }
})
