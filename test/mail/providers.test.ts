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

type Seen = Pick<Mail, 'from' | 'to' | 'subject' | 'html' | 'text'> & {
  cc: string[]
  recipients: string[]
  headers: Record<string, string>
}
/** A provider with its other end. */
type Scene = {
  port: MailPort
  seen(): Promise<Seen[]>
  decline(address: string): void
  goAway(): void
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
const soon = () => AbortSignal.timeout(60_000)
const send = (port: MailPort, changes: Partial<Mail> = {}, idempotencyKey: string = randomUUID(), signal = soon()) =>
  port.send({ ...mail, ...changes }, { idempotencyKey, signal })

const asSeen = async (raw: Buffer, recipients: string[]): Promise<Seen> => {
  const { headers, ...rest } = await readMessage(raw)
  return { ...rest, recipients, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) }
}

const embedded = async (): Promise<Scene> => {
  const kept = new Map<string, { id: string; recipients: string[]; raw: Buffer }>()
  const store = {
    save: ({ idempotencyKey, ...message }: { idempotencyKey: string; recipients: string[]; raw: Buffer }) => {
      const before = kept.get(idempotencyKey) ?? { id: randomUUID(), ...message }
      kept.set(idempotencyKey, before)
      return Promise.resolve(before.id)
    },
  }
  let away = false
  const port = createEmbeddedMail(store)
  const changed = (sent: Mail): Mail => (away ? { ...sent, to: ['x@unavailable.invalid'] } : sent)
  return {
    port: { isIdempotent: port.isIdempotent, send: (sent, options) => port.send(changed(sent), options) },
    seen: () => Promise.all([...kept.values()].map(({ raw, recipients }) => asSeen(raw, recipients))),
    decline: () => {},
    goAway: () => (away = true),
    close: async () => {},
  }
}

const smtp = async (): Promise<Scene> => {
  const server = await startSmtpServer()
  return {
    port: createSmtpMail({ url: server.url }),
    seen: () => Promise.all(server.received.map(({ raw, to }) => asSeen(Buffer.from(raw), to))),
    decline: (address) => (server.trouble.recipient = { [address]: 550 }),
    goAway: () => (server.trouble.words = 421),
    close: server.close,
  }
}

const resend = async (): Promise<Scene> => {
  const server = await startResendServer()
  return {
    port: createResendMail({ apiKey: 're_test', apiUrl: server.url }),
    seen: () =>
      Promise.resolve(
        server.received.map(({ mail: { cc = [], headers = {}, ...rest } }) => ({
          ...rest,
          cc,
          recipients: [...rest.to, ...cc],
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        })),
      ),
    decline: () => {},
    goAway: () => (server.trouble.refusal = { status: 503, name: 'internal_server_error' }),
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

  test('gets the mail whole', async () => {
    const { messageId } = await send(scene.port)
    expect(messageId).not.toBe('')
    const [seen] = await scene.seen()
    expect(seen).toMatchObject({ from: mail.from, to: mail.to, cc: mail.cc, subject: mail.subject })
    expect(seen?.recipients).toEqual([...mail.to, ...(mail.cc ?? [])])
    expect(seen?.html.trim()).toBe(mail.html)
    expect(seen?.text.replaceAll('\r\n', '\n').trim()).toBe(mail.text.trim())
    expect(seen?.headers).toMatchObject({ 'x-campaign': 'autumn', references: '<first@example.com>' })
  })

  test('takes a key once where it knows keys', async () => {
    const before = (await scene.seen()).length
    const key = randomUUID()
    const first = await send(scene.port, {}, key)
    const second = await send(scene.port, {}, key)
    expect(second).toEqual(first)
    expect(await scene.seen()).toHaveLength(before + (scene.port.isIdempotent ? 1 : 2))
  })

  test('takes many at the same time', async () => {
    const before = (await scene.seen()).length
    const subjects = Array.from({ length: 10 }, () => randomUUID())
    await Promise.all(subjects.map((subject) => send(scene.port, { subject })))
    const seen = await scene.seen()
    expect(new Set(seen.slice(before).map(({ subject }) => subject))).toEqual(new Set(subjects))
  })

  test('responds in time or not at all', async () => {
    await expect(send(scene.port, {}, randomUUID(), AbortSignal.abort())).rejects.toMatchObject({
      name: 'ProviderError',
      isRetryable: true,
    })
  })

  test.skipIf(name === 'Resend')('declines a recipient for good', async () => {
    const to = ['refused@declined.invalid']
    scene.decline(to[0] ?? '')
    await expect(send(scene.port, { to, cc: [] })).rejects.toMatchObject({ kind: 'declined', isRetryable: false })
  })

  test('that is down may be called again', async () => {
    scene.goAway()
    await expect(send(scene.port)).rejects.toMatchObject({ kind: 'unavailable', isRetryable: true })
  })
})

describe('SMTP', () => {
  let server: Awaited<ReturnType<typeof startSmtpServer>>
  beforeAll(async () => {
    server = await startSmtpServer({ user: 'me', password: 'p%/w' })
  })
  afterEach(() => {
    delete server.trouble.words
    delete server.trouble.recipient
    delete server.trouble.login
  })
  afterAll(() => server.close())
  const portOf = (password: string, silenceTimeoutMs?: number) =>
    createSmtpMail({ url: `smtp://me:${encodeURIComponent(password)}@127.0.0.1:${server.port}`, silenceTimeoutMs })
  const port = (silenceTimeoutMs?: number) => portOf('p%/w', silenceTimeoutMs)

  test('signs in, and reports a refused login', async () => {
    await send(port())
    expect(server.received).toHaveLength(1)
    await expect(send(portOf('wrong'))).rejects.toMatchObject({ kind: 'unauthorized', isRetryable: false })
  })

  test('names all attempts at one mail the same', async () => {
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
  ] as const)('an answer of %d to the words is %s', async (code, kind) => {
    server.trouble.words = code
    await expect(send(port())).rejects.toMatchObject({ kind })
  })

  test('a sign-in that fails for now is tried again', async () => {
    server.trouble.login = 454
    await expect(send(port())).rejects.toMatchObject({ kind: 'unavailable', code: '454', isRetryable: true })
  })

  test.each(['silent', 'cut'] as const)('words that were taken without an answer (%s) leave a doubt', async (words) => {
    server.trouble.words = words
    await expect(send(port(3000))).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('a connection that was never made leaves none', async () => {
    const nowhere = createSmtpMail({ url: 'smtp://127.0.0.1:1' })
    await expect(send(nowhere)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('the mail goes to those whom the server takes', async () => {
    server.trouble.recipient = { 'b@example.com': 550 }
    expect(await send(port())).toMatchObject({ refused: ['b@example.com'] })
    expect(server.received.at(-1)?.to).toEqual(['a@example.com', 'c@example.com'])
  })

  test('an end of the time cuts the talk', async () => {
    server.trouble.words = 'silent'
    const time = new AbortController()
    const taken = server.received.length
    const sent = expect(send(port(60_000), {}, randomUUID(), time.signal)).rejects.toMatchObject({ kind: 'timeout' })
    await eventually('the words', async () => server.received.length > taken || undefined)
    time.abort()
    await sent
  })
})

describe('Resend', () => {
  let server: Awaited<ReturnType<typeof startResendServer>>
  beforeAll(async () => {
    server = await startResendServer()
  })
  afterEach(() => {
    for (const name of ['refusal', 'cut', 'unreadable', 'hold'] as const) delete server.trouble[name]
  })
  afterAll(() => server.close())
  const portOf = (apiKey: string) => createResendMail({ apiKey, apiUrl: server.url })

  test.each([
    [400, 'validation_error', 'invalid'],
    [422, 'invalid_from_address', 'invalid'],
    [403, 'restricted_api_key', 'unauthorized'],
    [409, 'concurrent_idempotent_requests', 'unavailable'],
    [429, 'daily_quota_exceeded', 'rate_limited'],
    [500, 'application_error', 'unavailable'],
  ] as const)('an answer of %d %s is %s', async (status, name, kind) => {
    server.trouble.refusal = { status, name }
    await expect(send(portOf('re_test'))).rejects.toMatchObject({ kind, code: name })
  })

  test('a limit states how long', async () => {
    server.trouble.refusal = { status: 429, name: 'rate_limit_exceeded', headers: { 'retry-after': '7' } }
    await expect(send(portOf('re_test'))).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 7 })
  })

  test('a key that is wrong is not tried again', async () => {
    await expect(send(portOf('re_wrong'))).rejects.toMatchObject({ kind: 'unauthorized', isRetryable: false })
  })

  test('another mail under the same key is refused', async () => {
    const key = randomUUID()
    await send(portOf('re_test'), {}, key)
    await expect(send(portOf('re_test'), { subject: 'other' }, key)).rejects.toMatchObject({ kind: 'invalid' })
  })

  test.each(['cut', 'unreadable'] as const)(
    'a request whose response is lost (%s) is repeated with the key',
    async (how) => {
      const key = randomUUID()
      server.trouble[how] = true
      await expect(send(portOf('re_test'), {}, key)).rejects.toMatchObject({ kind: 'timeout', isRetryable: true })
      delete server.trouble[how]
      const before = server.received.length
      const { messageId } = await send(portOf('re_test'), {}, key)
      expect(server.received.find((one) => one.key === key)?.id).toBe(messageId)
      expect(server.received).toHaveLength(before)
    },
  )

  test('an end of the time cuts the request', async () => {
    server.trouble.hold = new Promise(() => {})
    await expect(send(portOf('re_test'), {}, randomUUID(), AbortSignal.timeout(200))).rejects.toMatchObject({
      kind: 'timeout',
    })
  })
})
