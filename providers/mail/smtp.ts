import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { ProviderError } from '../errors/provider-error.ts'
import { composeMail, buildMessageId } from './compose.ts'
import type { MailPort } from './index.ts'

type Reply = { responseCode?: number; command?: string; message: string }
type Envelope = { rejected?: string[] }

const mailboxBusyCodes = new Set([450, 451, 452])
const authenticationErrorCodes = new Set([530, 534, 535, 538])
const recipientErrorCodes = new Set([550, 551, 553, 554])

/**
 * Sends emails through an SMTP server, with one connection per email. SMTP has no idempotency keys: if the connection breaks
 * after the message was sent, the outcome is unknown. All attempts at an email have the same Message-ID.
 */
export function createSmtpMail({
  url,
  silenceTimeoutMs = 10_000,
}: {
  url: string
  silenceTimeoutMs?: number
}): MailPort {
  const { auth, ...options } = parseConnectionUrl(url)
  return {
    isIdempotent: false,
    send: async (mail, { idempotencyKey, signal }) => {
      const { from, to, raw } = await composeMail(mail, idempotencyKey)
      const connection = new SMTPConnection({
        ...options,
        connectionTimeout: silenceTimeoutMs,
        greetingTimeout: silenceTimeoutMs,
        socketTimeout: silenceTimeoutMs,
        dnsTimeout: silenceTimeoutMs,
      })
      // The connection reads the message only after the server has accepted the recipients.
      let wasMessageRead = false
      const message = Readable.from(
        (function* () {
          wasMessageRead = true
          yield raw
        })(),
      )
      const failed = new Promise<never>((_, reject) => {
        connection.once('error', reject)
        const stop = (): void => reject(new Error('the deadline was exceeded'))
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop, { once: true })
      })
      const transmit = async (): Promise<string[]> => {
        await promisify((callback) => connection.connect(callback))
        if (auth !== undefined) await promisify((callback) => connection.login(auth, callback))
        const sent = await promisify((callback) => connection.send({ from, to, size: raw.length }, message, callback))
        connection.quit()
        return (sent as Envelope | undefined)?.rejected ?? []
      }
      const transmission = transmit()
      try {
        const refused = await Promise.race([transmission, failed])
        return { messageId: buildMessageId(mail.from, idempotencyKey), refused }
      } catch (error) {
        const reply = toReply(error)
        throw toProviderError(reply) ?? new ProviderError(wasMessageRead ? 'timeout' : 'unavailable', reply.message)
      } finally {
        failed.catch(() => {})
        transmission.catch(() => {}).finally(() => connection.close())
        if (signal.aborted) connection.close()
      }
    },
  }
}

function promisify(run: (callback: (error?: Error | null, result?: unknown) => void) => void): Promise<unknown> {
  return new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result))))
}

function toReply(error: unknown): Reply {
  return error instanceof Error ? error : { message: String(error) }
}

/**
 * Classifies a reply by its code (RFC 5321, RFC 4954). The first digit decides whether to retry, regardless of the command:
 * 454 after AUTH is as temporary as 451 after RCPT TO.
 */
function toProviderError({ responseCode, command, message }: Reply): ProviderError | undefined {
  if (responseCode === undefined) return undefined
  const code = String(responseCode)
  if (mailboxBusyCodes.has(responseCode)) return new ProviderError('rate_limited', message, { code })
  if (responseCode < 500) return new ProviderError('unavailable', message, { code })
  if (command?.startsWith('AUTH') === true || authenticationErrorCodes.has(responseCode))
    return new ProviderError('unauthorized', message, { code })
  if (command === 'RCPT TO' || recipientErrorCodes.has(responseCode))
    return new ProviderError('declined', message, { code })
  return new ProviderError('invalid', message, { code })
}
