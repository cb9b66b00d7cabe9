import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listMails, type ListedMail } from '../mail/inbox.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

type SignupResult = { account_id: string; api_key: string | null }

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const newAddress = () => `${randomUUID()}@example.com`

const waitForMail = (address: string): Promise<ListedMail> =>
  eventually(
    `an email to ${address}`,
    async () => {
      const mails = await listMails(world, address)
      return mails.length > 0 ? mails[0] : undefined
    },
    20_000,
  )

test('a person who signs up receives a code by email and exchanges it for a key', async () => {
  const email = newAddress()
  const signupResponse = await world.request<SignupResult>('POST', '/api/agents/signup', { body: { email } })
  expect(signupResponse).toMatchObject({ status: 200, body: { api_key: null } })
  const { subject, text } = await waitForMail(email)
  expect(subject).toBe('Your verification code')
  const code = /\b\d{6}\b/.exec(text)?.[0]
  const verified = await world.request<SignupResult>('POST', '/api/agents/verify', { body: { email, code } })
  expect(verified).toMatchObject({ status: 200, body: { account_id: signupResponse.body.account_id } })
  const whoAmI = await world.request('GET', '/api/accounts/id', { key: verified.body.api_key ?? '' })
  expect(whoAmI.body).toMatchObject({ account_id: signupResponse.body.account_id })
  const logged = await world.db`select subject, recipients from email_send_log where recipients @> array[${email}]`
  expect(JSON.stringify(logged)).not.toContain(code)
  expect(await listMails(world, email)).toHaveLength(1)
})

test('an account that a bearer token creates receives one welcome email', async () => {
  const email = newAddress()
  const bearer = await world.deps.issuer?.issue(email)
  for (let time = 0; time < 3; time += 1) await world.request('GET', '/api/accounts/id', { bearer })
  expect((await waitForMail(email)).subject).toBe('Welcome')
  expect(await listMails(world, email)).toHaveLength(1)
})

test("an accepted invitation gives the invited person access to the inviter's data", async () => {
  const owner = await world.makeAccount()
  const name = 'Ours & <b>co'
  const made = await world.request<{ organization: { id: string } }>('POST', '/api/organizations', {
    key: owner.key,
    body: { name },
  })
  const organization_id = made.body.organization.id
  const email = newAddress()
  for (let time = 0; time < 2; time += 1)
    await world.request('POST', '/api/organizations/members', { key: owner.key, body: { organization_id, email } })
  expect((await waitForMail(email)).subject).toBe('Invitation to an organization')
  const bearer = await world.deps.issuer?.issue(email)
  const accepted = await world.request('POST', '/api/organizations/members/accept', {
    bearer,
    body: { organization_id },
  })
  expect(accepted).toMatchObject({ status: 200, body: { state: 'member' } })
  expect(await listMails(world, email)).toHaveLength(1)
  const next = await world.request<{ organization: { id: string } }>('POST', '/api/organizations', {
    key: owner.key,
    body: { name },
  })
  await world.request('POST', '/api/organizations/members', {
    key: owner.key,
    body: { organization_id: next.body.organization.id, email },
  })
  const named = await eventually('the second email', async () => {
    const mails = await listMails(world, email)
    return mails.length === 2 ? mails[0] : undefined
  })
  expect(named.subject).toBe(`Invitation to ${name}`)
})
