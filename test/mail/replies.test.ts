import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, type OpenChat } from '../chat/chat-api.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { inboxPath, listMails, readMail } from './inbox.ts'
import { startResendServer } from './resend-server.ts'

const key = Buffer.from('the secret of the webhook')
const secret = `whsec_${key.toString('base64')}`

let resend: Awaited<ReturnType<typeof startResendServer>>
let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  resend = await startResendServer()
  world = await createWorld({
    settings: {
      MAIL_PROVIDER: 'resend',
      RESEND_API_KEY: 're_test',
      RESEND_API_URL: resend.url,
      RESEND_WEBHOOK_SECRET: secret,
      MAIL_FROM: 'Agent <agent@mail.example>',
      MAIL_REPLY_TO: 'reply@in.example',
      SANDBOX_PROVIDER: 'just-bash',
    },
  })
  chatApi = createChatApi(world)
})
afterAll(async () => {
  await world.close()
  await resend.close()
})

/** Sends an email from the chat to its owner. Returns the address for replies. */
const sendMail = async ({ account, chatId }: OpenChat): Promise<string> => {
  const body = { subject: 'Numbers', text: 'Streams are up.', chat_id: chatId }
  expect((await world.request('POST', '/api/emails', { key: account.key, body })).status).toBe(200)
  return resend.received.at(-1)?.mail.reply_to ?? ''
}

/** `headers`: added after those of the provider. `verdict`: value of `Authentication-Results`; null omits the header. */
type Incoming = { from?: string; text?: string; headers?: string[]; verdict?: string | null | undefined; raw?: false }

const parseDomain = (from: string): string => from.toLowerCase().replace(/.*@|>/g, '')
const passVerdict = (domain: string): string =>
  `amazonses.com; spf=pass (spfCheck: domain of ${domain} designates 192.0.2.1 as permitted sender)` +
  ` client-ip=192.0.2.1; dkim=pass header.i=@${domain}; dmarc=pass header.from=${domain};`

/** Sends the webhook request of Resend for an incoming email. */
const receive = async (to: string, mail: Incoming, signWith = key) => {
  const { from = '', text = 'Go on', headers = [], verdict = passVerdict(parseDomain(from)), raw } = mail
  const id = randomUUID()
  const lines = [
    'Received: from client.example by inbound-smtp.us-east-1.amazonaws.com; Mon, 23 Nov 2026 09:00:00 +0000',
    ...(verdict === null ? [] : [`Authentication-Results: ${verdict}`]),
    ...headers,
    ...(from === '' ? [] : [`From: ${from}`]),
    `To: ${to}`,
  ]
  const original = `/originals/${id}`
  resend.originals.set(original, `${lines.join('\r\n')}\r\n\r\n${text}`)
  resend.inbound.set(id, {
    object: 'email',
    id,
    from,
    to: [to],
    text,
    html: null,
    // Resend returns one value per header name, and a header that the sender adds replaces the provider's header.
    headers: { 'authentication-results': passVerdict(parseDomain(from)) },
    raw: raw === false ? null : { download_url: resend.url + original, expires_at: '2100-01-01T00:00:00Z' },
    subject: 'Re: Numbers',
  })
  const body = JSON.stringify({ type: 'email.received', data: { email_id: id, from, to: [to], cc: [] } })
  const [event, at] = [`msg_${id}`, String(Math.floor(Date.now() / 1000))]
  const mac = createHmac('sha256', signWith).update(`${event}.${at}.${body}`).digest('base64')
  const sent = { 'svix-id': event, 'svix-timestamp': at, 'svix-signature': `v1,${mac}` }
  const repeatWebhook = () => world.request('POST', '/api/webhooks/mail', { body, headers: sent })
  return { id, repeatWebhook, response: await repeatWebhook() }
}

const findRow = async (providerKey: string) => {
  const [row] = await world.db<{ status: string; reason: string | null; runId: string | null; content: unknown }[]>`
    select status, reason, run_id, content from mail_replies where provider_key = ${providerKey}`
  return row
}
const untilProcessed = (providerKey: string) =>
  eventually('the processed reply', async () => {
    const row = await findRow(providerKey)
    return row?.status === 'received' ? undefined : row
  })
const untilEnded = (runId: string | null | undefined) =>
  eventually('the end of the run', async () => {
    const [run] = await world.db<{ endReason: string | null }[]>`select end_reason from runs where id = ${runId ?? ''}`
    return run?.endReason ?? undefined
  })

const reply = `Yes, and add Porto.

On Mon, Nov 23, 2026 at 9:00 AM Agent <agent@mail.example> wrote:
> Streams are up.
`

test('a reply to a chat email becomes the next message of the chat without the quoted text, and is answered once', async () => {
  const chat = await chatApi.openChat()
  await chatApi.send(chat, 'Watch the numbers')
  const to = await sendMail(chat)
  expect(to).toMatch(/^reply\+[0-9a-f]{32}\.[0-9a-f]{20}@in\.example$/)
  const from = `Ada <${chat.account.email.toUpperCase()}>`
  const { id, repeatWebhook, response } = await receive(to, { from, text: reply })
  expect([response.status, response.body]).toEqual([200, { status: 'success' }])
  const row = await untilProcessed(id)
  expect(row).toMatchObject({ status: 'answered', content: null })
  expect(await untilEnded(row?.runId)).toBe('natural')
  expect((await repeatWebhook()).status).toBe(200)
  const { messages } = await chatApi.load(chat)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  expect(messages[2]).toMatchObject({
    parts: [{ type: 'text', text: 'Yes, and add Porto.' }],
    metadata: { source: 'mail' },
  })
  expect(JSON.stringify(messages[3]?.parts)).toContain('I can see 3 messages of this chat')
})

const ignored: [string, string, Incoming][] = [
  ['a stranger', 'stranger', { from: 'Eve <eve@other.example>' }],
  ['a sender who puts the address in the display name', 'stranger', { from: '"{own}" <eve@other.example>' }],
  ['an out-of-office reply', 'automatic', { headers: ['Auto-Submitted: auto-replied'] }],
  ['a mailing list', 'automatic', { headers: ['List-Id: <list.example>'] }],
  ['a bounce', 'automatic', { from: 'MAILER-DAEMON@mail.example' }],
  ['a sender without a verdict', 'unauthenticated', { verdict: null }],
  ['a sender whose original email is not available', 'unauthenticated', { raw: false }],
  ['a sender that fails DMARC', 'unauthenticated', { verdict: 'amazonses.com; dmarc=fail header.from={domain}' }],
  [
    'a domain without a policy',
    'unauthenticated',
    { verdict: 'amazonses.com; spf=pass; dmarc=none header.from={domain}' },
  ],
  ['a domain with a bad policy', 'unauthenticated', { verdict: 'amazonses.com; dmarc=permerror header.from={domain}' }],
  ['a verdict of another server', 'unauthenticated', { verdict: 'mx.evil.example; dmarc=pass header.from={domain}' }],
  ['a verdict on another domain', 'unauthenticated', { verdict: passVerdict('evil.example') }],
  [
    'a sender who adds a verdict',
    'unauthenticated',
    {
      verdict: 'amazonses.com; spf=fail; dmarc=fail header.from={domain};',
      headers: ['Authentication-Results: amazonses.com; dmarc=pass header.from={domain};'],
    },
  ],
  ['two senders', 'unauthenticated', { headers: ['From: eve@evil.example'] }],
  ['two senders in one header', 'unauthenticated', { from: 'eve@{domain}, {own}' }],
  ['only a quote', 'empty', { text: '> Streams are up.' }],
]

test('an email is ignored unless its sender is verified and belongs to the account, and the reason is stored', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const { email } = chat.account
  const to = await sendMail(chat)
  const fillPlaceholders = (text: string): string =>
    text.replaceAll('{own}', email).replaceAll('{domain}', parseDomain(email))
  const received = await Promise.all(
    ignored.map(([, , { from = '{own}', headers = [], verdict, ...mail }]) =>
      receive(to, {
        ...mail,
        from: fillPlaceholders(from),
        headers: headers.map(fillPlaceholders),
        verdict: typeof verdict === 'string' ? fillPlaceholders(verdict) : verdict,
      }),
    ),
  )
  const rows = await Promise.all(received.map(({ id }) => untilProcessed(id)))
  expect(rows.map((row, at) => [ignored[at]?.[0], row?.status, row?.reason, row?.runId])).toEqual(
    ignored.map(([name, reason]) => [name, 'ignored', reason, null]),
  )
  expect((await chatApi.load(chat)).messages).toEqual([])
})

test('an email is accepted only with a valid webhook signature and a reply address that Backline signed', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const to = await sendMail(chat)
  const forged = await receive(to, { from: chat.account.email }, Buffer.from('another secret'))
  expect(forged.response.status).toBe(401)
  const guessed = await receive(to.replace(/\.[0-9a-f]{20}@/, `.${'0'.repeat(20)}@`), { from: chat.account.email })
  expect([guessed.response.status, guessed.response.body]).toMatchObject([200, { ignored: true }])
  expect(await findRow(guessed.id)).toBeUndefined()
  expect(await sendMail({ ...chat, chatId: (await chatApi.openChatWithoutCommands()).chatId })).toBe('')
})

test('a reply waits for the current turn, and replies above the hourly limit are ignored', async () => {
  const chat = await chatApi.openChat()
  const to = await sendMail(chat)
  const currentTurn = await chatApi.post(chat, '@stall')
  const { id } = await receive(to, { from: chat.account.email })
  await eventually('the stored reply', async () => {
    const [storedReply] = await world.db`select 1 from mail_replies where provider_key = ${id} and words = 'Go on'`
    return storedReply
  })
  // The sweep that fetches the second reply also processes the first reply, and does not fetch it again.
  const { id: next } = await receive(to, { from: chat.account.email })
  await eventually('the fetch of the second reply', async () => (resend.reads.includes(next) ? true : undefined))
  expect(resend.reads.filter((read) => read === id)).toHaveLength(1)
  expect((await chatApi.stop(chat)).status).toBe(200)
  await currentTurn.body?.cancel()
  const row = await untilProcessed(id)
  expect(row?.status).toBe('answered')
  await untilEnded((await untilProcessed(next))?.runId)
  await untilEnded(row?.runId)
  await world.db`
    insert into mail_replies (provider_key, chat_id, status, ended_at)
    select 'earlier-' || n, ${chat.chatId}, 'answered', now() from generate_series(1, 8) as n`
  const excessReply = await receive(to, { from: chat.account.email })
  expect(await untilProcessed(excessReply.id)).toMatchObject({ status: 'ignored', reason: 'too_many' })
})

test('the embedded inbox offers a reply form only for emails to the owner alone, and a reply continues the chat', async () => {
  const inboxWorld = await createWorld({ settings: { SANDBOX_PROVIDER: 'just-bash' } })
  try {
    const chats = createChatApi(inboxWorld)
    const chat = await chats.openChat()
    const body = { subject: 'Numbers', text: 'Streams are up.', chat_id: chat.chatId }
    await inboxWorld.request('POST', '/api/emails', { key: chat.account.key, body })
    const [mail] = await listMails(inboxWorld, chat.account.email)
    const path = `${inboxPath(inboxWorld)}/${mail?.id}`
    expect((await readMail(inboxWorld, mail?.id ?? '')).headers.map(({ name }) => name)).toContain('reply-to')
    await inboxWorld.db`
      insert into payment_customers (account_id, customer_id, default_card)
      values (${chat.account.id}, ${randomUUID()}, '{}')`
    for (const others of [{ cc: ['guest@other.example'] }, { to: ['guest@other.example'] }]) {
      const shared = await inboxWorld.request('POST', '/api/emails', {
        key: chat.account.key,
        body: { ...body, ...others },
      })
      expect(shared.status).toBe(200)
      const [copy] = await listMails(inboxWorld, 'guest@other.example')
      expect((await readMail(inboxWorld, copy?.id ?? '')).headers.map(({ name }) => name)).not.toContain('reply-to')
    }
    expect((await inboxWorld.request('GET', path, { headers: { accept: 'text/html' } })).text).toContain(
      '<h2>Reply</h2>',
    )
    const form = new URLSearchParams({ from: chat.account.email, text: reply, headers: '', key: randomUUID() })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await inboxWorld.request('POST', `${path}/reply`, { body: 'text=+', headers })).text).toContain(
      '<h2>Reply</h2>',
    )
    // A form that is submitted twice creates one reply.
    for (const _ of [1, 2]) {
      const response = await fetch(`${inboxWorld.baseUrl}${path}/reply`, {
        method: 'POST',
        body: form,
        headers,
        redirect: 'manual',
      })
      expect([response.status, response.headers.get('location')]).toEqual([303, `${path}?replied=true`])
    }
    expect(await inboxWorld.db`select 1 from mail_replies where chat_id = ${chat.chatId}`).toHaveLength(1)
    await eventually('the answer', async () => {
      const { messages, isStreaming } = await chats.load(chat)
      return (messages.length === 2 && !isStreaming) || undefined
    })
    expect((await chats.load(chat)).messages[0]?.parts).toEqual([{ type: 'text', text: 'Yes, and add Porto.' }])
  } finally {
    await inboxWorld.close()
  }
})
