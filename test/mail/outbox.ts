import { randomUUID } from 'node:crypto'
import { startMail } from '../../api/mail/delivery.ts'
import { enqueueMail, type NewMail } from '../../db/mail/outbox.ts'
import { eventually, type World } from '../world/world.ts'

/** Adds an email to the outbox without starting its delivery. */
export const enqueue = (world: World, email: Partial<NewMail> = {}): Promise<string | undefined> =>
  world.db.begin((tx) =>
    enqueueMail(tx, {
      reference: `test:${randomUUID()}`,
      to: [`${randomUUID()}@example.com`],
      subject: 'recorded words',
      markdown: 'recorded words',
      ...email,
    }),
  )

export const readSend = async (world: World, id: string) => {
  const [row] = await world.db<{ status: string; messageId: string | null; attempts: number; queued: boolean }[]>`
    select status, message_id as "messageId", attempts,
      exists (select from mail_outbox where mail_outbox.id = email_send_log.id) as queued
    from email_send_log where id = ${id}`
  if (row === undefined) throw new Error(`no email ${id}`)
  return row
}

export const untilEnded = (world: World, id: string) =>
  eventually(
    'the end of an email',
    async () => {
      const row = await readSend(world, id)
      return row.status === 'queued' ? undefined : row
    },
    30_000,
  )

/** Delivers an email for the history recorder. Returns the workflow id. */
export const playMail = async (world: World): Promise<string> => {
  const id = (await enqueue(world)) ?? ''
  startMail(world.deps, id)
  await untilEnded(world, id)
  return `mail:${id}`
}

/** Like playMail, but no provider accepts the email until its delivery is cancelled. */
export const playAbandonedMail = async (world: World): Promise<string> => {
  const id = (await enqueue(world, { to: ['x@unavailable.invalid'] })) ?? ''
  startMail(world.deps, id)
  await eventually('an attempt', async () => ((await readSend(world, id)).attempts > 0 ? true : undefined))
  await world.engine.cancel(`mail:${id}`)
  await untilEnded(world, id)
  return `mail:${id}`
}
