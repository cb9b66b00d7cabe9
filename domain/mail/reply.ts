import type EmailReplyParser from 'email-reply-parser'
import { normalizeEmail } from './addresses.ts'

/** A mail that came in. Names of headers are in lower case. */
export type ReceivedMail = { from: string; text: string; html: string; headers: Record<string, string> }

/** Why a reply is not answered. */
export type ReplyFault =
  | 'automatic'
  | 'unauthenticated'
  | 'stranger'
  | 'empty'
  | 'too_many'
  | 'gone'
  | 'archived'
  | 'no_credits'
  | 'too_late'

/** Characters of a mail that are looked at: who answers writes above what is quoted. */
const maxCharacters = 20_000

/**
 * Why nobody should act on this mail, as far as it says itself: a program sent it, its sender's domain disowns it, or the
 * sender is not the account. Undefined when a person of the account wrote it.
 */
export function replyFault({ from, headers }: ReceivedMail, ownAddresses: readonly string[]): ReplyFault | undefined {
  const sender = normalizeEmail(addressIn(from))
  if (isAutomatic(headers, sender)) return 'automatic'
  if (/\bdmarc\s*=\s*fail\b/i.test(headers['authentication-results'] ?? '')) return 'unauthenticated'
  return sender !== undefined && ownAddresses.includes(sender) ? undefined : 'stranger'
}

/** What the sender wrote, without quotes and signature; empty when there is nothing. */
export function replyText(
  { text, html }: Pick<ReceivedMail, 'text' | 'html'>,
  read: { parser: EmailReplyParser; plainOf: (html: string) => string },
): string {
  const words = text.trim() === '' ? read.plainOf(html) : text
  return read.parser.parseReply(words.replaceAll('\r\n', '\n').slice(0, maxCharacters)).trim()
}

/** RFC 3834, and what programs said before it. */
function isAutomatic(headers: Record<string, string>, sender: string | undefined): boolean {
  const valueOf = (name: string): string => (headers[name] ?? '').trim().toLowerCase()
  const submitted = valueOf('auto-submitted')
  return (
    (submitted !== '' && submitted !== 'no') ||
    ['bulk', 'junk', 'list', 'auto_reply'].includes(valueOf('precedence')) ||
    ['x-autoreply', 'x-autorespond', 'x-auto-response', 'list-id', 'list-unsubscribe', 'feedback-id'].some(
      (name) => headers[name] !== undefined,
    ) ||
    valueOf('return-path') === '<>' ||
    valueOf('content-type').startsWith('multipart/report') ||
    /^(?:mailer-daemon|postmaster|no-?reply)@/.test(sender ?? '')
  )
}

/** The address of `Name <address>`, or of a plain one. */
function addressIn(from: string): string {
  const open = from.lastIndexOf('<')
  const close = from.lastIndexOf('>')
  return open !== -1 && close > open ? from.slice(open + 1, close) : from
}
