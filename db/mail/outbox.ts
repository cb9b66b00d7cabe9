import type { MailContent } from '../../domain/mail/content.ts'
import type { Footer } from '../../domain/mail/layout.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { ofPage, type IdPage } from '../postgres/id-pages.ts'
import { insertSend } from './send-log.ts'

export type NewMail = {
  /** What the mail is about: a second one about the same is not sent. */
  reference: string
  accountId?: string | undefined
  to: string[]
  cc?: string[]
  subject: string
  /** Its words, unless there is HTML. */
  markdown?: string
  html?: string
  headers?: Record<string, string>
  footer?: Footer
  chatId?: string
}

/** The row's own time to be started by whoever inserted it, before the sweeper does. */
const graceSeconds = 2
/** How often a delivery that goes on is looked at. */
const lookSeconds = 15 * 60

/**
 * Puts a mail into the outbox in the caller's transaction: it is sent when that commits, and only then. Answers its id
 * for `engine.startMail`; undefined when there is one about the same already. Not for secrets: the content is stored
 * until it is sent.
 */
export async function enqueueMail(tx: Tx, mail: NewMail): Promise<string | undefined> {
  const { to, cc = [], headers } = mail
  // Loaded with the first mail: what it needs is a sixth of all that a worker loads before it can go on after a crash.
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

/** Undefined when the mail has ended. */
export async function findQueuedMail(db: Db, id: string): Promise<MailContent | undefined> {
  const [row] = await db<{ message: MailContent }[]>`select message from mail_outbox where id = ${id}`
  return row?.message
}

/** Mails that nobody has started, and those that have been under way for so long that somebody should look. */
export function listDueMails(db: Db, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from mail_outbox where due_at <= now() and ${ofPage(db, page)}`
}

export async function markMailStarted(db: Db, id: string): Promise<void> {
  await db`update mail_outbox set due_at = now() + make_interval(secs => ${lookSeconds}::float8) where id = ${id}`
}
