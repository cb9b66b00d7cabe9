import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { ProviderFault } from '../fault.ts'
import { composeMail, messageIdOf } from './compose.ts'
import type { MailPort } from './index.ts'

type Answer = { responseCode?: number; command?: string; message: string }

/**
 * Mail through any SMTP server, a connection a mail. SMTP knows no keys: whoever is cut off after the words went out
 * cannot know whether they were taken. All attempts at one mail carry the same Message-ID.
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
      // It is read when the server has said that it takes it, and not before.
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
      const talk = async (): Promise<void> => {
        await done((callback) => connection.connect(callback))
        if (auth !== undefined) await done((callback) => connection.login(auth, callback))
        await done((callback) => connection.send({ from, to, size: raw.length }, words, callback))
        connection.quit()
      }
      const talking = talk()
      try {
        await Promise.race([talking, broken])
        return { messageId: messageIdOf(mail.from, idempotencyKey) }
      } catch (error) {
        const answer = messageOf(error)
        throw refusalOf(answer) ?? new ProviderFault(wordsWent ? 'timeout' : 'unavailable', answer.message)
      } finally {
        broken.catch(() => {})
        talking.catch(() => {}).finally(() => connection.close())
        if (signal.aborted) connection.close()
      }
    },
  }
}

function done(run: (callback: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => run((error) => (error ? reject(error) : resolve())))
}

function messageOf(error: unknown): Answer {
  return error instanceof Error ? error : { message: String(error) }
}

/** What a server's code says. 4xx: not now; 5xx: no. */
function refusalOf({ responseCode: code, command, message }: Answer): ProviderFault | undefined {
  if (code === undefined) return undefined
  if (command?.startsWith('AUTH') === true || code === 530 || code === 534 || code === 535)
    return new ProviderFault('unauthorized', message)
  if (code === 450 || code === 451 || code === 452) return new ProviderFault('rate_limited', message)
  if (code < 500) return new ProviderFault('unavailable', message)
  if (command === 'RCPT TO' || [550, 551, 553, 554].includes(code))
    return new ProviderFault('declined', message, { code: String(code) })
  return new ProviderFault('invalid', message)
}
