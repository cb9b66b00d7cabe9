import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMail } from '../../api/mail/delivery.ts'
import { connect } from '../../db/postgres/client.ts'
import { enqueueMail } from '../../db/mail/outbox.ts'
import { failAbandonedSends, insertSend } from '../../db/mail/send-log.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { listMails, readMail } from './inbox.ts'
import { enqueue, playAbandonedMail, readSend, untilEnded } from './outbox.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const newAddress = (): string => `${randomUUID()}@example.com`

describe('an email of the outbox', () => {
  test('is sent after its transaction, and its content is then deleted', async () => {
    const to = newAddress()
    const id = (await enqueue(world, { to: [to], subject: 'Welcome', markdown: 'Hello *you*' })) ?? ''
    expect(await readSend(world, id)).toEqual({ status: 'queued', messageId: null, attempts: 0, queued: true })
    startMail(world.deps, id)
    const endedSend = await untilEnded(world, id)
    const [listed] = await listMails(world, to)
    expect(endedSend).toEqual({ status: 'sent', messageId: listed?.id, attempts: 1, queued: false })
    const mail = await readMail(world, listed?.id ?? '')
    expect(mail).toMatchObject({ subject: 'Welcome', to: [to] })
    expect(mail.html).toContain('<em>you</em>')
  })

  test('does not exist if its transaction is rolled back', async () => {
    const reference = randomUUID()
    const failing = world.db.begin(async (tx) => {
      await enqueueMail(tx, { reference, to: [newAddress()], subject: 'a', markdown: 'b' })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await world.db`select 1 from email_send_log where reference = ${reference}`).toHaveLength(0)
  })

  test('is unique per reference, even in parallel and after it was sent', async () => {
    const to = newAddress()
    const reference = randomUUID()
    const ids = await Promise.all(Array.from({ length: 10 }, () => enqueue(world, { reference, to: [to] })))
    const createdIds = ids.filter((id) => id !== undefined)
    expect(createdIds).toHaveLength(1)
    for (let n = 0; n < 5; n++) startMail(world.deps, createdIds[0])
    await untilEnded(world, createdIds[0] ?? '')
    expect(await enqueue(world, { reference, to: [to] })).toBeUndefined()
    expect(await listMails(world, to)).toHaveLength(1)
  })

  test('is started by a sweep if the API does not start it', async () => {
    const to = newAddress()
    const id = (await enqueue(world, { to: [to] })) ?? ''
    expect(await untilEnded(world, id)).toMatchObject({ status: 'sent' })
    expect(await listMails(world, to)).toHaveLength(1)
  })

  test('that is rejected ends without a retry', async () => {
    const id = (await enqueue(world, { to: ['x@declined.invalid'] })) ?? ''
    startMail(world.deps, id)
    expect(await untilEnded(world, id)).toEqual({ status: 'rejected', messageId: null, attempts: 1, queued: false })
  })

  test('waits for a provider that is down', async () => {
    const to = newAddress()
    const id = (await enqueue(world, { to: ['x@unavailable.invalid'] })) ?? ''
    startMail(world.deps, id)
    await eventually('a second attempt', async () => ((await readSend(world, id)).attempts > 1 ? true : undefined))
    expect(await readSend(world, id)).toMatchObject({ status: 'queued' })
    await world.db`
      update mail_outbox set message = jsonb_set(message, '{to}', ${JSON.stringify([to])}::text::jsonb) where id = ${id}`
    expect(await untilEnded(world, id)).toMatchObject({ status: 'sent' })
    expect(await listMails(world, to)).toHaveLength(1)
  })

  test('whose delivery is cancelled counts as not sent', async () => {
    const id = (await playAbandonedMail(world)).replace('mail:', '')
    expect(await readSend(world, id)).toMatchObject({ status: 'send_failed', messageId: null, queued: false })
  })

  test('survives the deletion of its account', async () => {
    const account = await world.makeAccount()
    const id = (await enqueue(world, { accountId: account.id, to: [account.email] })) ?? ''
    // The owner of the tables deletes the account, because the application cannot delete ledger rows.
    const owner = connect({ url: world.databaseUrl, max: 1, name: 'test' })
    await owner.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`delete from credit_ledger where account_id = ${account.id}`
      await tx`delete from usage_events where account_id = ${account.id}`
    })
    await owner`delete from accounts where id = ${account.id}`
    await owner.end()
    startMail(world.deps, id)
    expect(await untilEnded(world, id)).toMatchObject({ status: 'sent' })
    expect(await world.db`select account_id from email_send_log where id = ${id}`).toEqual([{ accountId: null }])
  })
})

test('an email of an interrupted request counts as not sent once no process can be sending it', async () => {
  const row = { recipients: [newAddress()], subject: 'a' }
  const [old = '', young = ''] = await Promise.all([insertSend(world.db, row), insertSend(world.db, row)])
  await world.db`update email_send_log set created_at = now() - interval '1 hour' where id = ${old}`
  await failAbandonedSends(world.db)
  expect(await readSend(world, old)).toMatchObject({ status: 'send_failed' })
  expect(await readSend(world, young)).toMatchObject({ status: 'queued' })
})
