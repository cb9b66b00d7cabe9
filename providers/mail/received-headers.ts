import PostalMime, { addressParser } from 'postal-mime'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { passesDmarc } from '../../domain/mail/authentication.ts'

/** Names in lower case. */
export type MailHeader = { name: string; value: string }

/** Servers take no more in a mail. */
const maxBytes = 256 * 1024

/** The headers of a message, topmost first. None when they do not end within 256 KiB: such a mail is not verified. */
export async function readHeaders(message: ReadableStream<Uint8Array>): Promise<MailHeader[]> {
  const block = await readBlock(message)
  if (block === undefined) return []
  const { headers } = await PostalMime.parse(block)
  return headers.map(({ key, value }) => ({ name: key, value }))
}

/** The one address that the message is from; undefined for none, several, or a group. */
export function readSender(headers: readonly MailHeader[]): string | undefined {
  const [from, ...others] = headers.filter(({ name }) => name === 'from')
  if (from === undefined || others.length > 0) return undefined
  const [mailbox, ...more] = addressParser(from.value)
  return mailbox?.address === undefined || more.length > 0 ? undefined : normalizeEmail(mailbox.address)
}

/** Whether the server that received the message states, in the topmost header, that it comes from its sender's domain. */
export function isAuthenticated(headers: readonly MailHeader[], server: string): boolean {
  const domain = readSender(headers)?.split('@')[1]
  const results = headers.find(({ name }) => name === 'authentication-results')
  return domain !== undefined && results !== undefined && passesDmarc(results.value, { server, domain })
}

async function readBlock(message: ReadableStream<Uint8Array>): Promise<Buffer | undefined> {
  let block: Buffer = Buffer.alloc(0)
  for await (const chunk of message) {
    block = Buffer.concat([block, chunk])
    const end = /\r?\n\r?\n/.exec(block.toString('latin1'))
    if (end !== null && end.index <= maxBytes) return block.subarray(0, end.index + end[0].length)
    if (block.length > maxBytes) return undefined
  }
  return block
}
