import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createEmbeddedMail } from '../../providers/mail/embedded.ts'
import { readMessage } from '../../providers/mail/read-message.ts'
import type { Mail, MailPort } from '../../providers/mail/index.ts'
import { createResendMail } from '../../providers/mail/resend.ts'
import { createSmtpMail } from '../../providers/mail/smtp.ts'
import { eventually } from '../world/world.ts'
import { startResendServer } from './resend-server.ts'
import { startSmtpServer } from './smtp-server.ts'

type ReceivedMail = Pick<Mail, 'from' | 'to' | 'subject' | 'html' | 'text'> & {
  cc: string[]
  recipients: string[]
  headers: Record<string, string>
}
/** A mail port with the server that it sends to. */
type Scene = {
  port: MailPort
  listReceived(): Promise<ReceivedMail[]>
  decline(address: string): void
  shutDown(): void
  close(): Promise<void>
}

const mail: Mail = {
  from: 'Ünï Agent <agent@example.org>',
  to: ['a@example.com', 'b@example.com'],
  cc: ['c@example.com'],
  subject: 'Grüße – 今日は',
  html: '<p>Größe &amp; mehr</p>',
  text: `Größe & mehr\n.\n${'long line '.repeat(200)}\n`,
  headers: { 'X-Campaign': 'autumn', References: '<first@example.com>' },
}
const createTimeoutSignal = () => AbortSignal.timeout(60_000)
const send = (
  port: MailPort,
  changes: Partial<Mail> = {},
  idempotencyKey: string = randomUUID(),
  signal = createTimeoutSignal(),
) => port.send({ ...mail, ...changes }, { idempotencyKey, signal })

const parseReceived = async (raw: Buffer, recipients: string[]): Promise<ReceivedMail> => {
  const { headers, ...rest } = await readMessage(raw)
  return { ...rest, recipients, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) }
}

const embedded = async (): Promise<Scene> => {
  const emailsByKey = new Map<string, { id: string; recipients: string[]; raw: Buffer }>()
  const store = {
    save: ({ idempotencyKey, ...message }: { idempotencyKey: string; recipients: string[]; raw: Buffer }) => {
      const before = emailsByKey.get(idempotencyKey) ?? { id: randomUUID(), ...message }
      emailsByKey.set(idempotencyKey, before)
      return Promise.resolve(before.id)
    },
  }
  let isDown = false
  const port = createEmbeddedMail(store)
  const redirect = (sent: Mail): Mail => (isDown ? { ...sent, to: ['x@unavailable.invalid'] } : sent)
  return {
    port: { isIdempotent: port.isIdempotent, send: (sent, options) => port.send(redirect(sent), options) },
    listReceived: () =>
      Promise.all([...emailsByKey.values()].map(({ raw, recipients }) => parseReceived(raw, recipients))),
    decline: () => {},
    shutDown: () => (isDown = true),
    close: async () => {},
  }
}

const smtp = async (): Promise<Scene> => {
  const server = await startSmtpServer()
  return {
    port: createSmtpMail({ url: server.url }),
    listReceived: () => Promise.all(server.received.map(({ raw, to }) => parseReceived(Buffer.from(raw), to))),
    decline: (address) => (server.faults.recipient = { [address]: 550 }),
    shutDown: () => (server.faults.message = 421),
    close: server.close,
  }
}

const resend = async (): Promise<Scene> => {
  const server = await startResendServer()
  return {
    port: createResendMail({ apiKey: 're_test', apiUrl: server.url }),
    listReceived: () =>
      Promise.resolve(
        server.received.map(({ mail: { cc = [], headers = {}, ...rest } }) => ({
          ...rest,
          cc,
          recipients: [...rest.to, ...cc],
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        })),
      ),
    decline: () => {},
    shutDown: () => (server.faults.refusal = { status: 503, name: 'internal_server_error' }),
    close: server.close,
  }
}

describe.each([
  ['embedded', embedded],
  ['SMTP', smtp],
  ['Resend', resend],
])('the mail provider %s', (name, start) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await start()
  })
  afterAll(() => scene.close())

  test('sends all parts of the email', async () => {
    const { messageId } = await send(scene.port)
    expect(messageId).not.toBe('')
    const [received] = await scene.listReceived()
    expect(received).toMatchObject({ from: mail.from, to: mail.to, cc: mail.cc, subject: mail.subject })
    expect(received?.recipients).toEqual([...mail.to, ...(mail.cc ?? [])])
    expect(received?.html.trim()).toBe(mail.html)
    expect(received?.text.replaceAll('\r\n', '\n').trim()).toBe(mail.text.trim())
    expect(received?.headers).toMatchObject({ 'x-campaign': 'autumn', references: '<first@example.com>' })
  })

  test('sends an email once per idempotency key if it supports idempotency keys', async () => {
    const before = (await scene.listReceived()).length
    const key = randomUUID()
    const first = await send(scene.port, {}, key)
    const second = await send(scene.port, {}, key)
    expect(second).toEqual(first)
    expect(await scene.listReceived()).toHaveLength(before + (scene.port.isIdempotent ? 1 : 2))
  })

  test('accepts many emails concurrently', async () => {
    const before = (await scene.listReceived()).length
    const subjects = Array.from({ length: 10 }, () => randomUUID())
    await Promise.all(subjects.map((subject) => send(scene.port, { subject })))
    const received = await scene.listReceived()
    expect(new Set(received.slice(before).map(({ subject }) => subject))).toEqual(new Set(subjects))
  })

  test('rejects an aborted request with a retryable error', async () => {
    await expect(send(scene.port, {}, randomUUID(), AbortSignal.abort())).rejects.toMatchObject({
      name: 'ProviderError',
      isRetryable: true,
    })
  })

  test.skipIf(name === 'Resend')('reports a rejected recipient as a permanent error', async () => {
    const to = ['refused@declined.invalid']
    scene.decline(to[0] ?? '')
    await expect(send(scene.port, { to, cc: [] })).rejects.toMatchObject({ kind: 'declined', isRetryable: false })
  })

  test('rejects with a retryable error if it is unavailable', async () => {
    scene.shutDown()
    await expect(send(scene.port)).rejects.toMatchObject({ kind: 'unavailable', isRetryable: true })
  })
})

describe('SMTP', () => {
  let server: Awaited<ReturnType<typeof startSmtpServer>>
  beforeAll(async () => {
    server = await startSmtpServer({ user: 'me', password: 'p%/w' })
  })
  afterEach(() => {
    delete server.faults.message
    delete server.faults.recipient
    delete server.faults.login
  })
  afterAll(() => server.close())
  const createPort = (password: string, silenceTimeoutMs?: number) =>
    createSmtpMail({ url: `smtp://me:${encodeURIComponent(password)}@127.0.0.1:${server.port}`, silenceTimeoutMs })
  const port = (silenceTimeoutMs?: number) => createPort('p%/w', silenceTimeoutMs)

  test('signs in, and reports a rejected login', async () => {
    await send(port())
    expect(server.received).toHaveLength(1)
    await expect(send(createPort('wrong'))).rejects.toMatchObject({ kind: 'unauthorized', isRetryable: false })
  })

  test('uses the same message id for all attempts to send an email', async () => {
    const key = randomUUID()
    const { messageId } = await send(port(), {}, key)
    expect(messageId).toBe(`<${key}@example.org>`)
    expect(server.received.at(-1)?.raw).toContain(`Message-ID: ${messageId}`)
  })

  test.each([
    [451, 'rate_limited'],
    [421, 'unavailable'],
    [552, 'invalid'],
    [554, 'declined'],
  ] as const)('a response of %d to the message is reported as %s', async (code, kind) => {
    server.faults.message = code
    await expect(send(port())).rejects.toMatchObject({ kind })
  })

  test('a temporary sign-in failure is retryable', async () => {
    server.faults.login = 454
    await expect(send(port())).rejects.toMatchObject({ kind: 'unavailable', code: '454', isRetryable: true })
  })

  test.each(['silent', 'cut'] as const)(
    'an email whose response is lost (%s) may have been sent',
    async (messageResponse) => {
      server.faults.message = messageResponse
      await expect(send(port(3000))).rejects.toMatchObject({ kind: 'timeout' })
    },
  )

  test('a failed connection means that nothing was sent', async () => {
    const unreachable = createSmtpMail({ url: 'smtp://127.0.0.1:1' })
    await expect(send(unreachable)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('the email is sent to the recipients that the server accepts', async () => {
    server.faults.recipient = { 'b@example.com': 550 }
    expect(await send(port())).toMatchObject({ refused: ['b@example.com'] })
    expect(server.received.at(-1)?.to).toEqual(['a@example.com', 'c@example.com'])
  })

  test('a timeout ends the connection', async () => {
    server.faults.message = 'silent'
    const controller = new AbortController()
    const countBefore = server.received.length
    const sent = expect(send(port(60_000), {}, randomUUID(), controller.signal)).rejects.toMatchObject({
      kind: 'timeout',
    })
    await eventually('the message', async () => server.received.length > countBefore || undefined)
    controller.abort()
    await sent
  })
})

describe('Resend', () => {
  let server: Awaited<ReturnType<typeof startResendServer>>
  beforeAll(async () => {
    server = await startResendServer()
  })
  afterEach(() => {
    for (const name of ['refusal', 'cut', 'unreadable', 'hold'] as const) delete server.faults[name]
  })
  afterAll(() => server.close())
  const createPort = (apiKey: string) => createResendMail({ apiKey, apiUrl: server.url })

  test.each([
    [400, 'validation_error', 'invalid'],
    [422, 'invalid_from_address', 'invalid'],
    [403, 'restricted_api_key', 'unauthorized'],
    [409, 'concurrent_idempotent_requests', 'unavailable'],
    [429, 'daily_quota_exceeded', 'rate_limited'],
    [500, 'application_error', 'unavailable'],
  ] as const)('a response of %d %s is reported as %s', async (status, name, kind) => {
    server.faults.refusal = { status, name }
    await expect(send(createPort('re_test'))).rejects.toMatchObject({ kind, code: name })
  })

  test('a rate-limit error contains the time to wait', async () => {
    server.faults.refusal = { status: 429, name: 'rate_limit_exceeded', headers: { 'retry-after': '7' } }
    await expect(send(createPort('re_test'))).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 7 })
  })

  test('a wrong API key is not retryable', async () => {
    await expect(send(createPort('re_wrong'))).rejects.toMatchObject({ kind: 'unauthorized', isRetryable: false })
  })

  test('a different email with the same idempotency key is rejected', async () => {
    const key = randomUUID()
    await send(createPort('re_test'), {}, key)
    await expect(send(createPort('re_test'), { subject: 'other' }, key)).rejects.toMatchObject({ kind: 'invalid' })
  })

  test.each(['cut', 'unreadable'] as const)(
    'a request whose response is lost (%s) can be repeated with its idempotency key',
    async (fault) => {
      const key = randomUUID()
      server.faults[fault] = true
      await expect(send(createPort('re_test'), {}, key)).rejects.toMatchObject({ kind: 'timeout', isRetryable: true })
      delete server.faults[fault]
      const before = server.received.length
      const { messageId } = await send(createPort('re_test'), {}, key)
      expect(server.received.find((one) => one.key === key)?.id).toBe(messageId)
      expect(server.received).toHaveLength(before)
    },
  )

  test('a timeout ends the request', async () => {
    server.faults.hold = new Promise(() => {})
    await expect(send(createPort('re_test'), {}, randomUUID(), AbortSignal.timeout(200))).rejects.toMatchObject({
      kind: 'timeout',
    })
  })
})
