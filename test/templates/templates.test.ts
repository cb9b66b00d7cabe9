import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

type Template = {
  id: string
  title: string
  tags: string[]
  creator: { id: string; name: string | null; image: string | null; is_admin: boolean } | null
  is_private: boolean
  is_favourite: boolean
  favorites_count: number
  shared_emails: string[]
  updated_at: string | null
}

const adminOrganizationId = randomUUID()
const adminAccountId = randomUUID()
let world: World
let owner: TestAccount
let friend: TestAccount
let outsider: TestAccount

beforeAll(async () => {
  const settings = { ADMIN_ORGANIZATION_ID: adminOrganizationId, ADMIN_ACCOUNTS: adminAccountId.toUpperCase() }
  world = await createWorld({ worker: false, settings })
  owner = await world.makeAccount()
  friend = await world.makeAccount()
  outsider = await world.makeAccount()
})
afterAll(() => world.close())

const valid = {
  title: 'Weekly report',
  description: 'What happened this week.',
  prompt: 'Sum up what happened this week.',
}
const path = '/api/agents/templates'
const create = (body: object, caller = owner) =>
  world.request<{ template: Template; missing_fields: string[] }>('POST', path, { key: caller.key, body })
const make = async (changes: object = {}, caller = owner): Promise<Template> => {
  const { status, body } = await create({ ...valid, ...changes }, caller)
  expect(status).toBe(201)
  return body.template
}
const change = (id: string, body: object, caller = owner) =>
  world.request<{ template: Template; error: string; missing_fields: string[] }>('PATCH', `${path}/${id}`, {
    key: caller.key,
    body,
  })
const list = async (caller: TestAccount, query = '?limit=500') => {
  const { body } = await world.request<{ templates: Template[]; pagination: object }>('GET', path + query, {
    key: caller.key,
  })
  return body
}
const findVisible = async (caller: TestAccount, id: string) =>
  (await list(caller)).templates.find((template) => template.id === id)
const setFavorite = (id: string, caller: TestAccount, isFavourite: unknown = true) =>
  world.request('PUT', `${path}/${id}/favorite`, { key: caller.key, body: { is_favourite: isFavourite } })
const remove = (id: string, caller = owner) => world.request('DELETE', `${path}/${id}`, { key: caller.key })

describe('a new template', () => {
  test('is public, untagged and owned by its creator', async () => {
    const template = await make({ title: '  Weekly report ' })
    expect(template).toEqual({
      ...valid,
      id: expect.any(String),
      tags: [],
      creator: { id: owner.id, name: null, image: null, is_admin: false },
      is_private: false,
      is_favourite: false,
      favorites_count: 0,
      shared_emails: [],
      created_at: expect.any(String),
      updated_at: null,
    })
    expect((await findVisible(outsider, template.id))?.creator?.id).toBe(owner.id)
  })

  test.each([
    ['no title', { title: undefined }, 'title'],
    ['a title of two characters', { title: ' ab ' }, 'title'],
    ['a long title', { title: 'x'.repeat(51) }, 'title'],
    ['a short description', { description: 'too short' }, 'description'],
    ['a short prompt', { prompt: 'x'.repeat(19) }, 'prompt'],
    ['a long prompt', { prompt: 'x'.repeat(10_001) }, 'prompt'],
    ['too many tags', { tags: Array.from({ length: 21 }, (_, at) => `tag ${at}`) }, 'tags'],
    ['an empty tag', { tags: [''] }, 'tags'],
    ['an invalid email address', { share_emails: ['no-address'] }, 'share_emails'],
    ['a text for is_private', { is_private: 'yes' }, 'is_private'],
  ])('with %s is rejected', async (_, changes, field) => {
    const { status, body } = await create({ ...valid, ...changes })
    expect([status, body.missing_fields[0]]).toEqual([400, field])
  })

  test('has each tag once and each email address once, in normalized form', async () => {
    const template = await make({
      tags: ['a', 'b', 'a'],
      is_private: true,
      share_emails: ['  GRACE@Example.com', 'ada@example.com', 'grace@example.com'],
    })
    expect([template.tags, template.shared_emails]).toEqual([
      ['a', 'b'],
      ['grace@example.com', 'ada@example.com'],
    ])
  })

  test('is created once per Idempotency-Key', async () => {
    const sent = { key: owner.key, body: valid, headers: { 'idempotency-key': randomUUID() } }
    const [one, two] = [
      await world.request<{ template: Template }>('POST', path, sent),
      await world.request<{ template: Template }>('POST', path, sent),
    ]
    expect(two.body.template.id).toBe(one.body.template.id)
  })
})

describe('a private template', () => {
  test('is visible to its owner and to accounts with an email address on its list, even if they sign up later', async () => {
    const laterEmail = `late-${randomUUID()}@example.com`
    const { id } = await make({ is_private: true, share_emails: [friend.email, laterEmail] })
    expect(await findVisible(outsider, id)).toBeUndefined()
    expect((await findVisible(owner, id))?.shared_emails).toEqual([friend.email, laterEmail])
    expect((await findVisible(friend, id))?.shared_emails).toEqual([])
    await world.db`insert into account_emails (account_id, email) values (${outsider.id}, ${laterEmail})`
    expect(await findVisible(outsider, id)).toBeDefined()
    await world.db`delete from account_emails where email = ${laterEmail}`
    expect(await findVisible(outsider, id)).toBeUndefined()
  })

  test('keeps its list of email addresses while it is public', async () => {
    const { id } = await make({ is_private: true, share_emails: [friend.email] })
    const publicTemplate = await change(id, { is_private: false, share_emails: [outsider.email] })
    expect(publicTemplate.body.template.shared_emails).toEqual([])
    expect(await findVisible(outsider, id)).toBeDefined()
    const privateTemplate = await change(id, { is_private: true })
    expect(privateTemplate.body.template.shared_emails).toEqual([friend.email])
    expect(await findVisible(outsider, id)).toBeUndefined()
    const withNewList = await change(id, { share_emails: [outsider.email] })
    expect(withNewList.body.template.shared_emails).toEqual([outsider.email])
    expect([await findVisible(friend, id), (await findVisible(outsider, id))?.id]).toEqual([undefined, id])
  })

  test('remains visible to the accounts on its list after its owner is deleted', async () => {
    const formerOwner = await world.makeAccount({ credits: 0 })
    const { id } = await make({ is_private: true, share_emails: [friend.email] }, formerOwner)
    await world.db`delete from accounts where id = ${formerOwner.id}`
    expect((await findVisible(friend, id))?.creator).toBeNull()
    expect(await findVisible(outsider, id)).toBeUndefined()
    expect((await change(id, { tags: [] }, friend)).status).toBe(403)
  })
})

describe('a change to a template', () => {
  test('is allowed only to the owner; other accounts get 403, even if they cannot see the template', async () => {
    const { id } = await make({ is_private: true })
    for (const caller of [friend, outsider]) {
      const refused = await change(id, { title: 'Mine now' }, caller)
      expect([refused.status, refused.body.error]).toEqual([403, 'Only its owner may change a template'])
      expect((await remove(id, caller)).status).toBe(403)
    }
    expect((await change(randomUUID(), { title: 'Nothing' })).status).toBe(404)
    expect((await change('nothing', { title: 'Nothing' })).status).toBe(400)
  })

  test('writes only the sent fields and the time of the change', async () => {
    const { id } = await make({ tags: ['a'] })
    const { body } = await change(id, { tags: [], title: 'Daily report' })
    expect(body.template).toMatchObject({ title: 'Daily report', description: valid.description, tags: [] })
    expect(body.template.updated_at).not.toBeNull()
    for (const emptyChange of [{ unknown: 1 }, {}]) {
      const unchanged = await change(id, emptyChange)
      expect([unchanged.status, unchanged.body.template]).toEqual([200, body.template])
    }
    const response = await world.request('GET', `/api/agents/templates/${id}`, { key: owner.key })
    expect([response.status, response.body]).toEqual([200, { status: 'success', template: body.template }])
    expect((await world.request('GET', `/api/agents/templates/${randomUUID()}`, { key: owner.key })).status).toBe(404)
  })

  test('can be a deletion, which succeeds only once', async () => {
    const { id } = await make()
    await setFavorite(id, friend)
    expect((await remove(id)).status).toBe(200)
    expect((await remove(id)).status).toBe(404)
    expect(await findVisible(owner, id)).toBeUndefined()
  })
})

describe('favorites', () => {
  test('count each account once, even for repeated or concurrent requests', async () => {
    const { id } = await make()
    const responses = await Promise.all(
      [owner, friend, friend, friend, outsider].map((caller) => setFavorite(id, caller)),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await findVisible(friend, id)).toMatchObject({ is_favourite: true, favorites_count: 3 })
    await Promise.all([friend, friend].map((caller) => setFavorite(id, caller, false)))
    expect(await findVisible(friend, id)).toMatchObject({ is_favourite: false, favorites_count: 2 })
  })

  test('are deleted with their account', async () => {
    const formerOwner = await world.makeAccount({ credits: 0 })
    const { id } = await make()
    await setFavorite(id, formerOwner)
    await world.db`delete from accounts where id = ${formerOwner.id}`
    expect((await findVisible(owner, id))?.favorites_count).toBe(0)
  })

  test('require a template that is visible to the account', async () => {
    const { id } = await make({ is_private: true, share_emails: [friend.email] })
    expect((await setFavorite(id, friend)).status).toBe(200)
    expect((await setFavorite(id, owner)).status).toBe(200)
    expect((await setFavorite(id, outsider)).status).toBe(403)
    expect((await setFavorite(randomUUID(), outsider)).status).toBe(404)
    expect((await setFavorite(id, owner, 'yes')).status).toBe(400)
  })
})

test('the list is sorted by title in natural order, and its pages contain every template', async () => {
  const titles = ['Élan and more', 'apple pie', 'Zebra crossing', 'Banana split', 'eclair']
  const tagged = await Promise.all(titles.map((title) => make({ title, is_private: true })))
  const taggedIds = new Set(tagged.map(({ id }) => id))
  const { templates } = await list(owner)
  expect(templates.filter(({ id }) => taggedIds.has(id)).map(({ title }) => title)).toEqual([
    'apple pie',
    'Banana split',
    'eclair',
    'Élan and more',
    'Zebra crossing',
  ])
  const pages = await Promise.all(templates.map((_, offset) => list(owner, `?limit=1&offset=${offset}`)))
  expect(pages.map(({ templates }) => templates[0]?.id)).toEqual(templates.map(({ id }) => id))
  expect(pages[0]?.pagination).toEqual({ total_count: templates.length, limit: 1, offset: 0 })
})

test('a creator is marked as an admin by membership in the admin organization or by the setting', async () => {
  const member = await world.makeAccount()
  await world.db`insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Admins')`
  await world.db`
    insert into account_organization_ids (account_id, organization_id, state)
    values (${member.id}, ${adminOrganizationId}, 'member')`
  expect((await make({}, member)).creator?.is_admin).toBe(true)
  await world.db`insert into accounts (id, kind) values (${adminAccountId}, 'person')`
  const { id } = await make()
  await world.db`update agent_templates set creator = ${adminAccountId} where id = ${id}`
  expect((await findVisible(outsider, id))?.creator?.is_admin).toBe(true)
})
