import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mail } from './index.ts'

/** The domain of the sender, without its display name. */
const domainOf = (from: string): string => /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'

/** The same id for every attempt at one mail: who receives it twice can tell. */
export const messageIdOf = (from: string, idempotencyKey: string): string =>
  `<${idempotencyKey.replace(/[^A-Za-z0-9-]/g, '-')}@${domainOf(from)}>`

/** Characters above which the text travels as base64, which is several times as quick to make as the usual encoding. */
const large = 200_000

const plain = (address: string) => ({ name: '', address })

/** A mail as the bytes that travel. */
export const composeMail = async (mail: Mail, idempotencyKey: string) => {
  const composer = new MailComposer({
    from: mail.from,
    to: mail.to.map(plain),
    ...(mail.cc && { cc: mail.cc.map(plain) }),
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    ...(mail.html.length + mail.text.length > large && { textEncoding: 'base64' as const }),
    messageId: messageIdOf(mail.from, idempotencyKey),
    headers: mail.headers ?? {},
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  })
  const message = composer.compile()
  const { from } = message.getEnvelope()
  return { from: from === false ? '' : from, to: [...mail.to, ...(mail.cc ?? [])], raw: await message.build() }
}
