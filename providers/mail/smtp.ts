import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { ProviderError } from '../fault.ts'
import { composeMail, buildMessageId } from './compose.ts'
import type { MailPort } from './index.ts'

type Reply = { responseCode?: number; command?: string; message: string }
type Envelope = { rejected?: string[] }

const mailboxBusy = new Set([450, 451, 452])
const authenticationRefused = new Set([530, 534, 535, 538])
const recipientRefused = new Set([550, 551, 553, 554])

/**
 * Sends mail through any SMTP server, one connection per email. SMTP has no idempotency keys: when the connection breaks
 * after the message was transmitted, its outcome is unknown. All attempts at one email carry the same Message-ID.
 */
export function createSmtpMail({ url, silenceMs = 10_000 }: { url: string; silenceMs?: number }): MailPort {
  const { auth, ...options } = parseConnectionUrl(url)
  return {
    knowsKeys: false,
    send: async (mail, { idempotencyKey, signal }) => {
      const { from, to, raw } = await composeMail(mail, idempotencyKey)
      const connection = new SMTPConnection({
        ...options,
        connectionTimeout: silenceMs,
        greetingTimeout: silenceMs,
        socketTimeout: silenceMs,
        dnsTimeout: silenceMs,
      })
      // The message is read only after the server has accepted the recipients.
      let wordsWent = false
      const words = Readable.from(
        (function* () {
          wordsWent = true
          yield raw
        })(),
      )
      const broken = new Promise<never>((_, reject) => {
        connection.once('error', reject)
        const stop = (): void => reject(new Error('the time is over'))
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop, { once: true })
      })
      const talk = async (): Promise<string[]> => {
        await done((callback) => connection.connect(callback))
        if (auth !== undefined) await done((callback) => connection.login(auth, callback))
        const sent = await done((callback) => connection.send({ from, to, size: raw.length }, words, callback))
        connection.quit()
        return (sent as Envelope | undefined)?.rejected ?? []
      }
      const talking = talk()
      try {
        const refused = await Promise.race([talking, broken])
        return { messageId: buildMessageId(mail.from, idempotencyKey), refused }
      } catch (error) {
        const reply = toReply(error)
        throw classify(reply) ?? new ProviderError(wordsWent ? 'timeout' : 'unavailable', reply.message)
      } finally {
        broken.catch(() => {})
        talking.catch(() => {}).finally(() => connection.close())
        if (signal.aborted) connection.close()
      }
    },
  }
}

function done(run: (callback: (error?: Error | null, result?: unknown) => void) => void): Promise<unknown> {
  return new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result))))
}

function toReply(error: unknown): Reply {
  return error instanceof Error ? error : { message: String(error) }
}

/**
 * Classifies a reply by its code (RFC 5321, RFC 4954). The first digit decides whether to try again, whatever the command:
 * 454 to AUTH is as temporary as 451 to RCPT TO.
 */
function classify({ responseCode, command, message }: Reply): ProviderError | undefined {
  if (responseCode === undefined) return undefined
  const code = String(responseCode)
  if (mailboxBusy.has(responseCode)) return new ProviderError('rate_limited', message, { code })
  if (responseCode < 500) return new ProviderError('unavailable', message, { code })
  if (command?.startsWith('AUTH') === true || authenticationRefused.has(responseCode))
    return new ProviderError('unauthorized', message, { code })
  if (command === 'RCPT TO' || recipientRefused.has(responseCode))
    return new ProviderError('declined', message, { code })
  return new ProviderError('invalid', message, { code })
}
