import type { Mail } from './index.ts'

/** Derives the Message-ID from the idempotency key, so that recipients can detect duplicates. */
export function buildMessageId(from: string, idempotencyKey: string): string {
  return `<${idempotencyKey.replace(/[^A-Za-z0-9-]/g, '-')}@${parseDomain(from)}>`
}

/** Number of characters above which the text is encoded as base64, which is several times faster than quoted-printable. */
const base64MinLength = 200_000

/** Encodes an email as a MIME message with its SMTP envelope. */
export async function composeMail(mail: Mail, idempotencyKey: string) {
  // Imported with the first email, because few processes send one.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: mail.from,
    to: mail.to.map(toMailbox),
    ...(mail.cc && { cc: mail.cc.map(toMailbox) }),
    ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    ...(mail.html.length + mail.text.length > base64MinLength && { textEncoding: 'base64' as const }),
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

/** Returns the domain of the sender's address. */
function parseDomain(from: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
}

function toMailbox(address: string) {
  return { name: '', address }
}
