import type { MailContent } from '../../domain/mail/content.ts'
import type { Footer } from '../../domain/mail/layout.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'
import { insertSend } from './send-log.ts'

export type NewMail = {
  /** Unique key of the email: a second email with the same reference is not sent. */
  reference: string
  accountId?: string | undefined
  to: string[]
  cc?: string[]
  subject: string
  /** Text of an email without HTML. */
  markdown?: string
  html?: string
  headers?: Record<string, string>
  footer?: Footer
  chatId?: string
}

/** Time in which the inserting process can start the delivery before the sweeper starts it. */
const graceSeconds = 2
/** Interval between checks of a delivery in progress. */
const checkSeconds = 15 * 60

/**
 * Adds an email to the outbox in the caller's transaction. The email is sent if and only if the transaction commits.
 * Returns its id for `engine.startMail`; undefined when the reference already exists. Not for secrets, because the content
 * is stored until the email is sent.
 */
export async function enqueueMail(tx: Tx, mail: NewMail): Promise<string | undefined> {
  const { to, cc = [], headers } = mail
  // Imported with the first email, because its dependencies would be a sixth of the code that a worker loads at start.
  const { renderMail } = await import('../../domain/mail/render.ts')
  const rendered = renderMail({
    subject: mail.subject,
    text: mail.markdown,
    html: mail.html,
    ...(mail.footer && { footer: mail.footer }),
  })
  const id = await insertSend(tx, {
    accountId: mail.accountId,
    reference: mail.reference,
    recipients: [...to, ...cc],
    subject: rendered.subject,
    chatId: mail.chatId,
  })
  if (id === undefined) return undefined
  const content: MailContent = { to, ...(cc.length > 0 && { cc }), ...rendered, ...(headers && { headers }) }
  await tx`
    insert into mail_outbox (id, message, due_at)
    values (${id}, ${JSON.stringify(content)}::text::jsonb, now() + make_interval(secs => ${graceSeconds}::float8))`
  return id
}

/** Returns an unsent email; undefined once it was sent or has failed. */
export async function findQueuedMail(db: Db, id: string): Promise<MailContent | undefined> {
  const [row] = await db<{ message: MailContent }[]>`select message from mail_outbox where id = ${id}`
  return row?.message
}

/** Returns emails whose delivery has not started, and emails whose delivery is due for a check. */
export function listDueMails(db: Db, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from mail_outbox where due_at <= now() and ${pageClause(db, page)}`
}

export async function markMailStarted(db: Db, id: string): Promise<void> {
  await db`update mail_outbox set due_at = now() + make_interval(secs => ${checkSeconds}::float8) where id = ${id}`
}
