import { addressParser } from 'postal-mime'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { passesDmarc } from '../../domain/mail/authentication.ts'

/** Names in lower case. */
export type MailHeader = { name: string; value: string }

/** Servers take no more in an email. */
const maxBytes = 256 * 1024
/** Characters of one mailbox with its name: to read longer lists takes long. */
const maxSender = 2000
const longestEnd = '\r\n\r\n'.length

/** The headers of a message, topmost first. None when they do not end within 256 KiB: such an email is not verified. */
export async function readHeaders(message: ReadableStream<Uint8Array>): Promise<MailHeader[]> {
  const block = await readBlock(message)
  if (block === undefined) return []
  return unfold(block.toString()).flatMap((field) => {
    const [, name = '', value = ''] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(field) ?? []
    return name === '' ? [] : [{ name: name.toLowerCase(), value: value.trim() }]
  })
}

/** The one address that the message is from; undefined for none, several, or a group. */
export function readSender(headers: readonly MailHeader[]): string | undefined {
  const [from, ...others] = headers.filter(({ name }) => name === 'from')
  if (from === undefined || others.length > 0 || from.value.length > maxSender) return undefined
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
  const block = Buffer.alloc(maxBytes + longestEnd)
  let length = 0
  for await (const chunk of message) {
    // The end may have begun in the chunk before.
    const from = Math.max(0, length - longestEnd)
    const taken = chunk.subarray(0, block.length - length)
    block.set(taken, length)
    length += taken.length
    const end = /\r?\n\r?\n/.exec(block.toString('latin1', from, length))
    if (end !== null) return block.subarray(0, from + end.index + end[0].length)
    if (length === block.length) return undefined
  }
  return block.subarray(0, length)
}

/** The fields of a header, each in one line. */
function unfold(block: string): string[] {
  const fields: string[][] = []
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith(' ') || line.startsWith('\t')) fields.at(-1)?.push(line)
    else fields.push([line])
  }
  return fields.map((lines) => lines.join(''))
}
