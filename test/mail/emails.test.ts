import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { giveWorkspace } from '../world/sessions/session-rows.ts'
import { createWorld, eventually, type Sent, type TestAccount, type World } from '../world/world.ts'
import { listMails, readMail } from './inbox.ts'
import { startSmtpServer } from './smtp-server.ts'

type ResponseBody = {
  success?: boolean
  id: string
  error?: number
  message: string
  disallowed_recipients?: string[]
  refused_recipients?: string[]
}
type LogRow = { status: string; recipients: string[]; subject: string; messageId: string | null; chatId: string | null }

let world: World
let owner: TestAccount

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { WEB_APP_URL: 'https://app.example' } })
  owner = await world.makeAccount()
})
afterAll(() => world.close())

const send = (body: unknown, { key = owner.key, ...sent }: Sent = {}) =>
  world.request<ResponseBody>('POST', '/api/emails', { key, body, ...sent })

const listLog = (accountId: string) => world.db<LogRow[]>`
  select status, to_json(recipients) as recipients, subject, message_id as "messageId", chat_id as "chatId" from email_send_log
  where account_id = ${accountId} order by created_at`

const addCard = (accountId: string) => world.db`
  insert into payment_customers (account_id, customer_id, default_card)
  values (${accountId}, ${`cus_${accountId}`}, '{"id":"card"}')`

const readLatest = async (address: string) => {
  const [mail] = await listMails(world, address)
  if (mail === undefined) throw new Error(`no email for ${address}`)
  return readMail(world, mail.id)
}

describe('an email', () => {
  test('without recipients is sent to the addresses of the account', async () => {
    const account = await world.makeAccount()
    const second = `${randomUUID()}@example.com`
    await world.db`insert into account_emails (account_id, email) values (${account.id}, ${second})`
    const response = await send({ text: '# Weekly report\n\nAll **good**.' }, { key: account.key })
    expect(response).toMatchObject({ status: 200, body: { success: true, message: 'Email sent' } })
    const mail = await readLatest(account.email)
    expect(mail.to).toEqual([account.email, second])
    expect(mail.subject).toBe('Weekly report')
    expect(mail.from).toBe(`Backline Agent <agent@backline.localhost>`)
    expect(mail.html).toContain('<strong>good</strong>')
    expect(mail.text).toContain('All good.')
    expect(mail.id).toBe(response.body.id)
    expect(await listLog(account.id)).toEqual([
      {
        status: 'sent',
        recipients: [account.email, second],
        subject: 'Weekly report',
        messageId: response.body.id,
        chatId: null,
      },
    ])
  })

  test('may be sent without a body', async () => {
    const account = await world.makeAccount()
    expect((await send(undefined, { key: account.key })).status).toBe(200)
    const mail = await readLatest(account.email)
    expect(mail.subject).toBe('Message from your workspace')
    expect(mail.text).toContain('This message has no text.')
  })

  test('contains the sanitized HTML and the requested headers', async () => {
    const account = await world.makeAccount()
    const html = '<h1 onclick="x()">Hi</h1><script>alert(1)</script><a href="javascript:x()">no</a><p>yes</p>'
    const headers = { 'X-Campaign': 'autumn', 'List-Unsubscribe': '<https://example.com/off>' }
    await send({ html, text: 'not this', subject: ' Own  words ', headers }, { key: account.key })
    const mail = await readLatest(account.email)
    expect(mail.html).toMatch(/<h1>Hi<\/h1><a>no<\/a><p>yes<\/p>/)
    expect(mail.html).not.toMatch(/script|onclick|not this/)
    expect(mail.subject).toBe('Own words')
    expect(mail.text).toContain('yes')
    for (const [name, value] of Object.entries(headers))
      expect(mail.headers).toContainEqual({ name: name.toLowerCase(), value })
  })

  test('with a long text arrives complete', async () => {
    const account = await world.makeAccount()
    const html = Array.from({ length: 10_000 }, (_, n) => `<p>Straße ${n}</p>`).join('')
    expect((await send({ html }, { key: account.key })).status).toBe(200)
    const mail = await readLatest(account.email)
    expect(mail.html).toContain(html)
    expect(mail.text.match(/Straße \d+/g)).toHaveLength(10_000)
  })

  test('links to the chat, and names its artist if the caller owns the chat', async () => {
    const account = await world.makeAccount()
    await giveWorkspace(world.db, account.id)
    const artist = await world.makeArtist({ rosterOf: account.id })
    const created = await world.request<{ chat: { id: string } }>('POST', '/api/sessions', {
      key: account.key,
      body: { artistId: artist.id },
    })
    const chatId = created.body.chat.id
    await send({ text: 'a', chat_id: chatId }, { key: account.key })
    const ownEmail = await readLatest(account.email)
    expect(ownEmail.html).toContain(`<a href="https://app.example/chat/${chatId}"`)
    expect(ownEmail.text).toContain(`https://app.example/chat/${chatId}`)
    expect(ownEmail.html).toContain('Test artist')
    await send({ text: 'a', chat_id: chatId })
    const foreignEmail = await readLatest(owner.email)
    expect(foreignEmail.html).toContain(`https://app.example/chat/${chatId}`)
    expect(foreignEmail.html).not.toContain('Test artist')
    await send({ text: 'a', chat_id: 'no-such_chat' })
    expect((await readLatest(owner.email)).html).toContain('https://app.example/chat/no-such_chat')
    expect((await listLog(account.id))[0]?.chatId).toBe(chatId)
  })
})

test('emails to the account itself show the workspace name of the artist, and other emails its public name', async () => {
  const account = await world.makeAccount()
  await giveWorkspace(world.db, account.id)
  await addCard(account.id)
  const artist = await world.makeArtist({ rosterOf: account.id })
  const { key } = account
  await world.request('PATCH', `/api/artists/${artist.id}`, { key, body: { name: 'Private name' } })
  const created = await world.request<{ chat: { id: string } }>('POST', '/api/sessions', {
    key,
    body: { artistId: artist.id },
  })
  const other = `${randomUUID()}@example.com`
  await send({ text: 'a', chat_id: created.body.chat.id }, { key })
  expect((await readLatest(account.email)).text).toContain('for Private name.')
  await send({ text: 'a', chat_id: created.body.chat.id, to: [account.email], cc: [other] }, { key })
  expect((await readLatest(other)).text).toContain('for Test artist.')
})

describe('recipients', () => {
  test('outside the account are rejected without a card, and the attempt is logged', async () => {
    const account = await world.makeAccount()
    const body = { to: [account.email.toUpperCase(), 'a@example.com'], cc: ['b@example.com'], subject: 'Hello' }
    const response = await send(body, { key: account.key })
    expect([response.status, response.body]).toEqual([
      403,
      {
        error: 403,
        message: 'Without a payment method on file, an account can send email only to its own addresses',
        disallowed_recipients: ['a@example.com', 'b@example.com'],
      },
    ])
    expect(await listMails(world, 'a@example.com')).toEqual([])
    expect(await listLog(account.id)).toMatchObject([
      { status: 'rejected', recipients: [account.email, 'a@example.com', 'b@example.com'], messageId: null },
    ])
  })

  test('with a plus suffix on an address of the account count as other addresses', async () => {
    const [name = '', domain = ''] = owner.email.split('@')
    const to = [`${name}+x@${domain}`]
    expect((await send({ to })).body.disallowed_recipients).toEqual(to)
  })

  test('outside the account are rejected after the card is removed', async () => {
    const account = await world.makeAccount()
    await addCard(account.id)
    const to = [`${randomUUID()}@example.com`]
    expect((await send({ to }, { key: account.key })).status).toBe(200)
    await world.db`update payment_customers set default_card = null where account_id = ${account.id}`
    expect((await send({ to }, { key: account.key })).status).toBe(403)
  })

  test('each receive the email once if the account has a card', async () => {
    const account = await world.makeAccount()
    await addCard(account.id)
    const [first, second] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`]
    await send({ to: [first, first.toUpperCase()], cc: [second, first], text: 'a' }, { key: account.key })
    const mail = await readLatest(second)
    expect([mail.to, mail.cc, mail.recipients]).toEqual([[first], [second], [first, second]])
  })

  test('depend on the card of the account that the caller acts for', async () => {
    const member = await world.makeAccount()
    const organization = await world.makeOrganization({ members: [member.id] })
    const body = { account_id: organization.id, to: [member.email], text: 'a' }
    expect((await send({ account_id: organization.id }, { key: member.key })).status).toBe(400)
    expect((await send(body, { key: member.key })).body.disallowed_recipients).toEqual([member.email])
    await addCard(organization.id)
    expect((await send(body, { key: member.key })).status).toBe(200)
    expect((await listLog(organization.id)).map(({ status }) => status)).toEqual(['rejected', 'sent'])
  })
})

describe('rejected emails', () => {
  test('without a credential return 401 with the status and a message in the body', async () => {
    const response = await world.request('POST', '/api/emails', { body: {} })
    expect([response.status, response.body]).toEqual([
      401,
      { error: 401, message: 'Send exactly one of x-api-key and Authorization' },
    ])
  })

  test('for an account that the caller cannot access are not logged', async () => {
    const other = await world.makeAccount()
    const response = await send({ account_id: other.id, to: ['x@example.com'] })
    expect([response.status, response.body]).toEqual([403, { error: 403, message: 'Access denied to this account' }])
    expect((await send({ account_id: other.id, to: [] })).status).toBe(400)
    expect(await listLog(other.id)).toEqual([])
  })

  test.each<[unknown, string]>([
    [{ to: [] }, 'to must have at least 1 items'],
    [{ to: Array.from({ length: 51 }, (_, n) => `a${n}@example.com`) }, 'to must have at most 50 items'],
    [{ to: 'a@example.com' }, 'to must be an array'],
    [{ to: ['A <a@example.com>'] }, 'to.0 must be an email address'],
    [{ to: ['a@example.com, b@example.com'] }, 'to.0 must be an email address'],
    [{ to: ['team:a@example.com;'] }, 'to.0 must be an email address'],
    [{ cc: ['a@example.com\r\nBcc: b@example.com'] }, 'cc.0 must be an email address'],
    [{ subject: 'a\r\nBcc: b@example.com' }, 'subject must not contain control characters'],
    [{ subject: 'x'.repeat(999) }, 'subject must have at most 998 characters'],
    [{ text: 'x'.repeat(1_000_001) }, 'text must have 0 to 1000000 characters'],
    [{ text: 7 }, 'text must be a string'],
    [{ chat_id: 'a/b' }, 'chat_id has an invalid format'],
    [{ account_id: 'x' }, 'account_id must be a UUID'],
    [{ headers: { Bcc: 'a@example.com' } }, 'headers must contain only valid headers: Bcc is not allowed'],
    [
      { headers: { 'X-A': 'b\r\nBcc: c@example.com' } },
      'headers must contain only valid headers: X-A must not contain control characters',
    ],
    [{ headers: { 'X-A': 1 } }, 'headers.X-A must be a string'],
  ])('%j', async (body, message) => {
    const response = await send(body)
    expect([response.status, response.body]).toEqual([400, { error: 400, message }])
  })
})

describe('a provider that does not accept the email', () => {
  test('because of a recipient causes a 502 and a log row', async () => {
    const account = await world.makeAccount({ email: `${randomUUID()}@declined.invalid` })
    const response = await send({ text: 'a' }, { key: account.key })
    expect([response.status, response.body]).toEqual([502, { error: 502, message: 'The email could not be delivered' }])
    expect(await listLog(account.id)).toMatchObject([{ status: 'rejected', messageId: null }])
  })

  test('because it is down causes a 502 after three attempts, and the key may be used again', async () => {
    const account = await world.makeAccount({ email: `${randomUUID()}@unavailable.invalid` })
    const sent = { key: account.key, headers: { 'idempotency-key': 'again' } }
    expect((await send({ text: 'a' }, sent)).status).toBe(502)
    expect(await listLog(account.id)).toMatchObject([{ status: 'send_failed' }])
    const newAddress = `${randomUUID()}@example.com`
    await world.db`update account_emails set email = ${newAddress} where account_id = ${account.id}`
    expect((await send({ text: 'a' }, sent)).status).toBe(200)
    expect(await listLog(account.id)).toMatchObject([{ status: 'sent' }])
    expect(await listMails(world, newAddress)).toHaveLength(1)
  })
})

describe('an SMTP server', () => {
  let server: Awaited<ReturnType<typeof startSmtpServer>>
  let smtpWorld: World
  beforeAll(async () => {
    server = await startSmtpServer()
    const settings = { MAIL_PROVIDER: 'smtp', SMTP_URL: server.url, MAIL_FROM: 'Backline <agent@example.org>' }
    smtpWorld = await createWorld({ worker: false, settings })
  })
  afterAll(async () => {
    await smtpWorld.close()
    await server.close()
  })
  afterEach(() => {
    delete server.faults.message
    delete server.faults.recipient
  })

  /** Sends an email to both addresses of a new account. Returns the response and its row. */
  const sendToTwo = async (faults: (address: string) => typeof server.faults) => {
    const account = await smtpWorld.makeAccount()
    const second = `${randomUUID()}@example.com`
    await smtpWorld.db`insert into account_emails (account_id, email) values (${account.id}, ${second})`
    Object.assign(server.faults, faults(second))
    const response = await smtpWorld.request<ResponseBody>('POST', '/api/emails', {
      key: account.key,
      body: { text: 'a' },
    })
    const [row] = await smtpWorld.db<{ status: string; refused: string[]; failure: string | null }[]>`
      select status, to_json(refused) as refused, failure from email_send_log where account_id = ${account.id}`
    return { response, row, second }
  }

  test('that rejects one of two recipients causes a 200; the response and the log row name the recipient', async () => {
    const { response, row, second } = await sendToTwo((address) => ({ recipient: { [address]: 550 } }))
    expect([response.status, response.body.refused_recipients]).toEqual([200, [second]])
    expect(row).toEqual({ status: 'sent', refused: [second], failure: null })
  })

  test('that rejects the message causes a 502 with the reason', async () => {
    const { response, row } = await sendToTwo(() => ({ message: 552 }))
    expect([response.status, response.headers.get('retry-after'), response.body.message]).toEqual([
      502,
      null,
      'The email could not be delivered: the mailbox is full or the message is larger than its server accepts (552)',
    ])
    expect(row).toMatchObject({ status: 'send_failed', failure: '552' })
  })

  test('that is busy causes a 502 with Retry-After', async () => {
    const { response, row } = await sendToTwo(() => ({ message: 451 }))
    expect([response.status, response.headers.get('retry-after')]).toEqual([502, '60'])
    expect(row).toMatchObject({ status: 'send_failed', failure: '451' })
  })
})

describe('an Idempotency-Key', () => {
  test('sends one email for fifty parallel requests', async () => {
    const account = await world.makeAccount()
    const sent = { key: account.key, headers: { 'idempotency-key': randomUUID() } }
    const repeat = () => send({ text: 'once' }, sent)
    const responses = await Promise.all(Array.from({ length: 50 }, repeat))
    expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const settled = await eventually('a response', async () => {
      const response = await repeat()
      return response.status === 200 ? response : undefined
    })
    expect(settled.headers.get('idempotency-replayed')).toBe('true')
    const ids = new Set(responses.filter(({ status }) => status === 200).map(({ body }) => body.id))
    expect([...ids]).toEqual([settled.body.id])
    expect(await listMails(world, account.email)).toHaveLength(1)
    expect(await listLog(account.id)).toHaveLength(1)
  })

  test('with another body returns 422', async () => {
    const sent = { headers: { 'idempotency-key': randomUUID() } }
    await send({ text: 'a' }, sent)
    expect(await send({ text: 'b' }, sent)).toMatchObject({ status: 422, body: { error: 422 } })
  })

  test('finds the email of a request whose process died after the provider accepted it', async () => {
    const account = await world.makeAccount()
    const key = randomUUID()
    const sent = { key: account.key, headers: { 'idempotency-key': key } }
    const first = await send({ text: 'a' }, sent)
    // A process that died before it stored the response leaves an expired claim without a response.
    await world.db`
      update email_send_log set status = 'queued', message_id = null, claimed_until = now() - interval '1 second'
      where account_id = ${account.id}`
    await world.db`delete from idempotency_keys where account_id = ${account.id}`
    const second = await send({ text: 'a' }, sent)
    expect(second.body).toEqual(first.body)
    expect(await listMails(world, account.email)).toHaveLength(1)
    expect(await listLog(account.id)).toMatchObject([{ status: 'sent', messageId: first.body.id }])
  })
})

test('an Idempotency-Key is valid for a day', async () => {
  const account = await world.makeAccount()
  const sent = { key: account.key, headers: { 'idempotency-key': randomUUID() } }
  await send({ text: 'a' }, sent)
  for (const age of ['23 hours', '25 hours']) {
    await world.db`update email_send_log set created_at = now() - ${age}::interval where account_id = ${account.id}`
    await world.db`delete from idempotency_keys where account_id = ${account.id}`
    await send({ text: 'a' }, sent)
  }
  expect(await listMails(world, account.email)).toHaveLength(2)
})

test('without an Idempotency-Key, every request sends an email', async () => {
  const account = await world.makeAccount()
  await send({ text: 'a' }, { key: account.key })
  await send({ text: 'a' }, { key: account.key })
  expect(await listMails(world, account.email)).toHaveLength(2)
})
