import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mail } from './index.ts'

/** The same id for every attempt at one email: who receives it twice can tell. */
export function buildMessageId(from: string, idempotencyKey: string): string {
  return `<${idempotencyKey.replace(/[^A-Za-z0-9-]/g, '-')}@${parseDomain(from)}>`
}

/** Characters above which the text travels as base64, which is several times as quick to make as the usual encoding. */
const large = 200_000

/** An email as the bytes that travel. */
export async function composeMail(mail: Mail, idempotencyKey: string) {
  const composer = new MailComposer({
    from: mail.from,
    to: mail.to.map(plain),
    ...(mail.cc && { cc: mail.cc.map(plain) }),
    ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    ...(mail.html.length + mail.text.length > large && { textEncoding: 'base64' as const }),
    messageId: buildMessageId(mail.from, idempotencyKey),
    headers: mail.headers ?? {},
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  })
  const message = composer.compile()
  const { from } = message.getEnvelope()
  return { from: from === false ? '' : from, to: [...mail.to, ...(mail.cc ?? [])], raw: await message.build() }
}

/** The domain of the sender, without its display name. */
function parseDomain(from: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
}

function plain(address: string) {
  return { name: '', address }
}
