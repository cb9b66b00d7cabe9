import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApi } from '../../api/start.ts'
import { deleteExpiredCounts } from '../../db/rate-counts.ts'
import type { Mail } from '../../providers/mail/index.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { createWorld, type Sent, type World } from '../world/world.ts'

type ResponseBody = { account_id: string; api_key: string | null; message: string; error: string }

let world: World
let sent: Mail[] = []
let sendError: ProviderError | undefined

beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: {
      AGENT_EMAIL_DOMAIN: 'agents.example',
      RATE_LIMIT_SIGNUPS_PER_EMAIL: '6',
      TRUSTED_PROXIES: '127.0.0.0/8',
    },
  })
  world.deps.mail = {
    isIdempotent: true,
    send: (mail) => {
      if (sendError !== undefined) return Promise.reject(sendError)
      sent.push(mail)
      return Promise.resolve({ messageId: randomUUID() })
    },
  }
})
beforeEach(() => {
  sent = []
  sendError = undefined
})
afterAll(() => world.close())

const signup = (email: unknown, more: Sent = {}) =>
  world.request<ResponseBody>('POST', '/api/agents/signup', { ...more, body: { email } })
const verify = (email: unknown, code: unknown, more: Sent = {}) =>
  world.request<ResponseBody>('POST', '/api/agents/verify', { ...more, body: { email, code } })
const newAddress = () => `${randomUUID()}@example.com`
const agentAddress = () => `agent+${randomUUID()}@agents.example`
const whoIs = async (key: string | null) =>
  (await world.request<{ accountId: string }>('GET', '/api/accounts/id', { key: key ?? '' })).body.accountId

/** Returns the code in the newest email to the address. */
const codeFor = (email: string): string => {
  const mail = sent.findLast(({ to }) => to.includes(email))
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
  if (code === undefined) throw new Error(`no email with a code was sent to ${email}`)
  return code
}
const wrongCode = (code: string, step: number): string => String(((Number(code) - 100_000 + step) % 900_000) + 100_000)

const expectWrong = (response: { status: number; body: object }) =>
  expect([response.status, response.body]).toEqual([
    400,
    { status: 'error', error: 'The code is wrong or has expired' },
  ])

describe('a signup', () => {
  test('with a new agent address immediately returns a key of a free account', async () => {
    const email = agentAddress()
    const made = await signup(` ${email.toUpperCase()} `)
    expect(made).toMatchObject({ status: 200, body: { account_id: expect.any(String) } })
    expect(made.body.api_key).toMatch(/^sk_[A-Za-z0-9_-]{43}$/)
    expect(await whoIs(made.body.api_key)).toBe(made.body.account_id)
    expect(sent).toEqual([])
    const [row] = await world.db`
      select name, expires_at as "expiresAt", remaining_credits as credits from account_api_keys
      join credit_balances using (account_id) where account_id = ${made.body.account_id}`
    expect(row).toEqual({
      name: expect.stringMatching(/^Agent \d{4}-\d\d-\d\d$/),
      expiresAt: null,
      credits: world.config.START_CREDITS,
    })
    expect(
      await world.db`select 1 from account_organization_ids where account_id = ${made.body.account_id}`,
    ).toHaveLength(0)
  })

  test('sent several times in parallel with one agent address creates one key and one account', async () => {
    const email = agentAddress()
    const responses = await Promise.all(Array.from({ length: 6 }, () => signup(email)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(responses.filter(({ body }) => body.api_key !== null)).toHaveLength(1)
    expect(new Set(responses.map(({ body }) => body.account_id)).size).toBe(1)
    expect(sent).toHaveLength(5)
  })

  test('returns the same response for a known address, a new address and an existing agent', async () => {
    const known = await world.makeAccount()
    const agent = agentAddress()
    const first = await signup(agent)
    const responses = [await signup(known.email), await signup(newAddress()), await signup(agent)]
    for (const { status, body, headers } of responses) {
      expect([status, Object.keys(body), body.api_key, body.message]).toEqual([
        200,
        ['account_id', 'api_key', 'message'],
        null,
        first.body.message,
      ])
      expect(headers.get('cache-control')).toBe('private, no-store')
    }
    expect(responses[0]?.body.account_id).toBe(known.id)
    expect(sent).toHaveLength(3)
    for (const mail of sent) {
      expect(mail.text).toMatch(/\b\d{6}\b/)
      expect(mail.text).toContain('24 hours')
      expect(mail.html + mail.text).not.toMatch(/https?:|href/)
    }
  })

  test('requires a code for an address outside the agent domain', async () => {
    for (const email of ['agent+x@example.com', `agent+${'x'.repeat(60)}+@agents.example`, 'person@agents.example'])
      expect((await signup(email)).body.api_key).toBeNull()
  })

  test('ignores credentials and an Idempotency-Key', async () => {
    const email = newAddress()
    const headers = { 'x-api-key': 'x', authorization: 'y', 'idempotency-key': 'z' }
    for (let time = 1; time <= 2; time += 1) {
      expect((await signup(email, { headers })).status).toBe(200)
      expect(sent).toHaveLength(time)
    }
  })

  test.each([
    undefined,
    7,
    '',
    'x',
    'a,b@example.com',
    '"a"@example.com',
    '<a@example.com>',
    `${'x'.repeat(250)}@b.cd`,
  ])('rejects %j', async (email) => {
    expect(await signup(email)).toMatchObject({ status: 400, body: { missing_fields: ['email'] } })
  })

  test('returns 502 if the email cannot be sent, and a repetition sends a new code', async () => {
    const email = newAddress()
    for (const kind of ['declined', 'timeout', 'rate_limited'] as const) {
      sendError = new ProviderError(kind, 'secret words of a vendor')
      const response = await signup(email)
      expect([response.status, response.body]).toEqual([502, { status: 'error', error: 'The email could not be sent' }])
    }
    sendError = undefined
    await signup(email)
    expect((await verify(email, codeFor(email))).status).toBe(200)
  })

  test('returns 502 if sending takes longer than the request timeout', async () => {
    const { config, databaseUrl, temporalAddress, taskQueue } = world
    const shortTimeoutConfig = { ...config, REQUEST_TIMEOUT_SECONDS: 1 }
    const api = await startApi({
      config: shortTimeoutConfig,
      databaseUrl,
      temporalAddress,
      taskQueue,
      log: world.deps.log,
    })
    api.deps.mail = { isIdempotent: true, send: () => Promise.reject(new ProviderError('timeout', 'late')) }
    try {
      const response = await fetch(`http://127.0.0.1:${api.port}/api/agents/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: newAddress() }),
      })
      expect([response.status, await response.json()]).toEqual([
        502,
        { status: 'error', error: 'The email could not be sent' },
      ])
    } finally {
      await api.close()
    }
  })

  test('is limited per address, and a 429 response has Retry-After', async () => {
    const email = newAddress()
    for (let time = 0; time < 6; time += 1) expect((await signup(email)).status).toBe(200)
    const refused = await signup(email.toUpperCase())
    expect([refused.status, refused.body]).toEqual([429, { status: 'error', error: 'Too many requests' }])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await signup(newAddress())).status).toBe(200)
  })
})

describe('a code', () => {
  test('creates a key once, and is stored only as an HMAC', async () => {
    const email = newAddress()
    const { account_id: accountId } = (await signup(email)).body
    const code = codeFor(email)
    const [row] = await world.db`select code_hash as hash from email_verifications where email = ${email}`
    expect(row).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const verified = await verify(email.toUpperCase(), code)
    expect(verified).toMatchObject({ status: 200, body: { account_id: accountId, message: expect.any(String) } })
    expect(await whoIs(verified.body.api_key)).toBe(accountId)
    expectWrong(await verify(email, code))
  })

  test('sent by many parallel requests creates one key', async () => {
    const email = newAddress()
    await signup(email)
    const code = codeFor(email)
    const responses = await Promise.all(Array.from({ length: 20 }, () => verify(email, code)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of responses) expect([200, 400, 429]).toContain(status)
  })

  test('allows five wrong attempts, even in parallel; then the right code is also rejected', async () => {
    const email = newAddress()
    await signup(email)
    const code = codeFor(email)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, step) => verify(email, wrongCode(code, step + 1))),
    )
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15)
    const locked = await verify(email, code)
    expect([locked.status, locked.body]).toEqual([429, { status: 'error', error: 'Too many wrong codes' }])
    const wait = Number(locked.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(86_000)
    expect(wait).toBeLessThanOrEqual(86_400)
    await signup(email)
    expect((await verify(email, codeFor(email))).status).toBe(200)
  })

  test('is rejected for an hour after twenty wrong attempts for its address, even if the code is new', async () => {
    const email = newAddress()
    for (let round = 0; round < 4; round += 1) {
      await signup(email)
      for (let step = 1; step <= 5; step += 1) expectWrong(await verify(email, wrongCode(codeFor(email), step)))
    }
    await signup(email)
    const locked = await verify(email, codeFor(email))
    expect(locked.status).toBe(429)
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
    await world.db`
      update email_verifications set window_start = now() - interval '61 minutes' where email = ${email}`
    expect((await verify(email, codeFor(email))).status).toBe(200)
  })

  test('that is wrong, expired, replaced or for an unknown address is rejected with the same text', async () => {
    const [wrong, expired, replaced] = [newAddress(), newAddress(), newAddress()]
    for (const email of [wrong, expired, replaced]) await signup(email)
    const old = codeFor(replaced)
    await signup(replaced)
    await world.db`update email_verifications set expires_at = now() where email = ${expired}`
    const responses = [
      await verify(wrong, wrongCode(codeFor(wrong), 1)),
      await verify(expired, codeFor(expired)),
      await verify(replaced, codeFor(replaced) === old ? wrongCode(old, 1) : old),
      await verify(newAddress(), '123456'),
      await verify((await world.makeAccount()).email, '123456'),
    ]
    for (const response of responses) expectWrong(response)
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  })

  test.each([undefined, 123_456, '12345', '1234567', '12345x', '١٢٣٤٥٦'])('is invalid if it is %j', async (code) => {
    expect(await verify('a@example.com', code)).toMatchObject({ status: 400, body: { missing_fields: ['code'] } })
  })
})

test('signups are limited per network address as reported by trusted proxies', async () => {
  const narrow = await createWorld({
    worker: false,
    settings: { RATE_LIMIT_SIGNUPS_PER_HOUR: '2', TRUSTED_PROXIES: '127.0.0.1, ::1' },
  })
  try {
    const from = (address: string) =>
      narrow.request('POST', '/api/agents/verify', {
        headers: { 'x-forwarded-for': address },
        body: { email: 'a@example.com', code: '123456' },
      })
    const statuses = async (...addresses: string[]) => {
      const seen: number[] = []
      for (const address of addresses) seen.push((await from(address)).status)
      return seen
    }
    // Entries before the nearest address can be forged by the client.
    expect(await statuses('203.0.113.1', '198.51.100.7, 203.0.113.1', '203.0.113.1')).toEqual([400, 400, 429])
    expect(await statuses('203.0.113.2')).toEqual([400])
    expect(await statuses('2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8:0:1::1')).toEqual([
      400, 400, 429, 400,
    ])
    const refused = await from('203.0.113.1')
    expect(refused.body).toEqual({ status: 'error', error: 'Too many requests' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(refused.headers.get('ratelimit-limit')).toBe('2')
  } finally {
    await narrow.close()
  }
})

const signupAt = async (port: number, email: string, address: string): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/agents/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email }),
  })
  await response.text()
  return response.status
}

test('signup limits apply across all API processes for one hour', async () => {
  const narrow = await createWorld({
    worker: false,
    settings: {
      RATE_LIMIT_SIGNUPS_PER_HOUR: '3',
      RATE_LIMIT_SIGNUPS_PER_EMAIL: '1',
      TRUSTED_PROXIES: '127.0.0.1, ::1',
    },
  })
  const { config, applicationUrl: databaseUrl, temporalAddress, taskQueue } = narrow
  const second = await startApi({ config, databaseUrl, temporalAddress, taskQueue, log: narrow.deps.log })
  try {
    const [firstPort, secondPort] = [Number(new URL(narrow.baseUrl).port), second.port]
    const email = newAddress()
    expect(await signupAt(firstPort, email, '203.0.113.1')).toBe(200)
    expect(await signupAt(secondPort, email, '203.0.113.2')).toBe(429)
    expect(await signupAt(secondPort, newAddress(), '203.0.113.1')).toBe(200)
    expect(await signupAt(firstPort, newAddress(), '203.0.113.1')).toBe(200)
    expect(await signupAt(secondPort, newAddress(), '203.0.113.1')).toBe(429)
    await narrow.db`update rate_counts set ends_at = now()`
    expect(await signupAt(secondPort, newAddress(), '203.0.113.1')).toBe(200)
    await narrow.db`update rate_counts set ends_at = now()`
    await deleteExpiredCounts(narrow.db)
    expect(await narrow.db`select 1 from rate_counts`).toEqual([])
  } finally {
    await second.close()
    await narrow.close()
  }
})

/** Signs up from the address. Returns the account's credits and whether the response states that it has none. */
const signUpFrom = async (address: string) => {
  const { body } = await signup(agentAddress(), { headers: { 'x-forwarded-for': address } })
  const { body: credits } = await world.request<{ remaining_credits: number }>(
    'GET',
    `/api/accounts/${body.account_id}/credits`,
    { key: body.api_key ?? '' },
  )
  return [credits.remaining_credits, /start without credits/.test(body.message)]
}

test('only a limited number of accounts per network and day start with credits', async () => {
  const addresses = Array.from({ length: 25 }, (_, at) => `203.0.113.${at}`)
  const first = await Promise.all(addresses.map(signUpFrom))
  expect(first).toEqual(addresses.map(() => [3_330_000, false]))
  expect(await signUpFrom('203.0.113.250')).toEqual([0, true])
  expect(await signUpFrom('203.0.114.1')).toEqual([3_330_000, false])
})
