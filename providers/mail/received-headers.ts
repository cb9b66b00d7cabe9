import { addressParser } from 'postal-mime'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { passesDmarc } from '../../domain/mail/authentication.ts'

/** A header field. The name is in lower case. */
export type MailHeader = { name: string; value: string }

/** Maximum size of the headers. Mail servers accept no more. */
const maxBytes = 256 * 1024
/** Maximum length of the From header. Parsing longer values is slow. */
const maxFromLength = 2000
const maxTerminatorLength = '\r\n\r\n'.length

/** Reads the headers of a message, topmost first. Returns none above 256 KiB, so that the email is not authenticated. */
export async function readHeaders(message: ReadableStream<Uint8Array>): Promise<MailHeader[]> {
  const block = await readHeaderBlock(message)
  if (block === undefined) return []
  return unfold(block.toString()).flatMap((field) => {
    const [, name = '', value = ''] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(field) ?? []
    return name === '' ? [] : [{ name: name.toLowerCase(), value: value.trim() }]
  })
}

/** Returns the sender's address; undefined for no sender, several senders or a group. */
export function readSender(headers: readonly MailHeader[]): string | undefined {
  const [from, ...others] = headers.filter(({ name }) => name === 'from')
  if (from === undefined || others.length > 0 || from.value.length > maxFromLength) return undefined
  const [mailbox, ...otherMailboxes] = addressParser(from.value)
  return mailbox?.address === undefined || otherMailboxes.length > 0 ? undefined : normalizeEmail(mailbox.address)
}

/** True if the topmost Authentication-Results header, of the receiving server, reports that the message passed DMARC. */
export function isAuthenticated(headers: readonly MailHeader[], server: string): boolean {
  const domain = readSender(headers)?.split('@')[1]
  const results = headers.find(({ name }) => name === 'authentication-results')
  return domain !== undefined && results !== undefined && passesDmarc(results.value, { server, domain })
}

async function readHeaderBlock(message: ReadableStream<Uint8Array>): Promise<Buffer | undefined> {
  const block = Buffer.alloc(maxBytes + maxTerminatorLength)
  let length = 0
  for await (const chunk of message) {
    // The empty line at the end may have started in the previous chunk.
    const from = Math.max(0, length - maxTerminatorLength)
    const added = chunk.subarray(0, block.length - length)
    block.set(added, length)
    length += added.length
    const end = /\r?\n\r?\n/.exec(block.toString('latin1', from, length))
    if (end !== null) return block.subarray(0, from + end.index + end[0].length)
    if (length === block.length) return undefined
  }
  return block.subarray(0, length)
}

/** Splits headers into fields and joins the lines of each field. */
function unfold(block: string): string[] {
  const fields: string[][] = []
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith(' ') || line.startsWith('\t')) fields.at(-1)?.push(line)
    else fields.push([line])
  }
  return fields.map((lines) => lines.join(''))
}
