import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requireArtist, requireOrganization, resolveAccount } from '../../api/access/access.ts'
import type { RouteDeps } from '../../api/deps.ts'
import { route, type Route } from '../../api/http/route.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { createWorld, type Sent, type TestAccount, type World } from '../world/world.ts'

const adminOrganizationId = randomUUID()
let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
let admin: TestAccount
let organization: { id: string }
let otherOrganization: { id: string }

// The access rules use only the database and one setting.
const routes = (): Route[] => [applyRules('/reach'), applyRules('/read', true)]

const applyRules = (path: string, sharedReads?: true): Route =>
  route({
    method: 'GET',
    path,
    ...(sharedReads && { sharedReads }),
    tag: { name: 'Test', description: 'For tests.' },
    summary: 'Applies the access rules',
    auth: 'key-or-bearer',
    ownership: 'By the rules.',
    envelope: 'standard',
    bodyLimit: 0,
    rate: 'default',
    errors: ['forbidden'],
    query: z.object({ account_id: uuid.optional(), organization_id: uuid.optional(), artist_id: uuid.optional() }),
    responses: { 200: z.object({ accountId: z.string() }) },
    handle: async ({ caller, query }) => {
      const deps: Pick<RouteDeps, 'db' | 'config'> = world.deps
      const accountId = await resolveAccount(deps, caller, query.account_id)
      if (query.organization_id !== undefined) await requireOrganization(deps, caller, accountId, query.organization_id)
      if (query.artist_id !== undefined) await requireArtist(deps, caller, accountId, query.artist_id)
      return { status: 200, body: { accountId } }
    },
  })

beforeAll(async () => {
  world = await createWorld({ worker: false, routes, settings: { ADMIN_ORGANIZATION_ID: adminOrganizationId } })
  owner = await world.makeAccount()
  colleague = await world.makeAccount()
  outsider = await world.makeAccount()
  admin = await world.makeAccount()
  organization = await world.makeOrganization({ members: [owner.id, colleague.id] })
  otherOrganization = await world.makeOrganization({ members: [colleague.id] })
  await world.db`insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Admins')`
  await world.db`
    insert into account_organization_ids (account_id, organization_id, state)
    values (${admin.id}, ${adminOrganizationId}, 'member'), (${outsider.id}, ${organization.id}, 'invited')`
})
afterAll(() => world.close())

const reach = (query: Record<string, string>, sent: Sent) =>
  world.request('GET', `/reach?${new URLSearchParams(query).toString()}`, sent)

const issueBearerFor = async ({ email }: TestAccount): Promise<Sent> => ({
  bearer: await world.deps.issuer?.issue(email),
})

describe('an account override', () => {
  test("is accepted for the caller's own account, in any letter case", async () => {
    expect(await reach({ account_id: owner.id.toUpperCase() }, { key: owner.key })).toMatchObject({
      status: 200,
      body: { accountId: owner.id },
    })
  })

  test('is accepted for an account that shares an organization with the caller, with a key or a bearer token', async () => {
    expect((await reach({ account_id: colleague.id }, { key: owner.key })).body).toEqual({ accountId: colleague.id })
    expect((await reach({ account_id: colleague.id }, await issueBearerFor(owner))).body).toEqual({
      accountId: colleague.id,
    })
  })

  test('is accepted for an organization of the caller, with a key only', async () => {
    expect((await reach({ account_id: organization.id }, { key: owner.key })).body).toEqual({
      accountId: organization.id,
    })
    expect((await reach({ account_id: organization.id }, await issueBearerFor(owner))).status).toBe(403)
  })

  test('is accepted from an admin for any account, but with a bearer token only for persons', async () => {
    expect((await reach({ account_id: owner.id }, { key: admin.key })).status).toBe(200)
    expect((await reach({ account_id: otherOrganization.id }, { key: admin.key })).status).toBe(200)
    expect((await reach({ account_id: owner.id }, await issueBearerFor(admin))).status).toBe(200)
    expect((await reach({ account_id: otherOrganization.id }, await issueBearerFor(admin))).status).toBe(403)
  })

  test('is rejected for accounts outside the organization, for invited and unknown accounts, and for artists', async () => {
    const artist = await world.makeArtist({ rosterOf: owner.id })
    const refusals = [
      await reach({ account_id: owner.id }, { key: outsider.key }),
      await reach({ account_id: organization.id }, { key: outsider.key }),
      await reach({ account_id: otherOrganization.id }, { key: owner.key }),
      await reach({ account_id: randomUUID() }, { key: owner.key }),
      await reach({ account_id: randomUUID() }, { key: admin.key }),
      await reach({ account_id: artist.id }, { key: owner.key }),
      await reach({ account_id: artist.id }, { key: admin.key }),
    ]
    for (const refusal of refusals)
      expect([refusal.status, refusal.body]).toEqual([403, { status: 'error', error: 'Access denied to this account' }])
  })

  test('is rejected once the membership has ended', async () => {
    const leaver = await world.makeAccount({ organizationId: organization.id })
    expect((await reach({ account_id: owner.id }, { key: leaver.key })).status).toBe(200)
    await world.db`delete from account_organization_ids where account_id = ${leaver.id}`
    expect((await reach({ account_id: owner.id }, { key: leaver.key })).status).toBe(403)
  })

  test('with a key that expires is rejected except for shared reads, and never has admin rights', async () => {
    const expiresAt = new Date(Date.now() + 60_000)
    const key = await world.makeKey(owner.id, { expiresAt })
    const adminKey = await world.makeKey(admin.id, { expiresAt })
    for (const account_id of [colleague.id, organization.id, randomUUID()])
      expect(await reach({ account_id }, { key })).toMatchObject({
        status: 403,
        body: { error: 'A key with an expiry acts for its own account only' },
      })
    expect((await reach({ account_id: owner.id }, { key })).status).toBe(200)
    expect((await reach({ organization_id: organization.id }, { key })).status).toBe(200)
    const read = (account_id: string, sent: Sent) => world.request('GET', `/read?account_id=${account_id}`, sent)
    expect((await read(colleague.id, { key })).body).toEqual({ accountId: colleague.id })
    expect((await read(owner.id, { key: adminKey })).status).toBe(403)
    expect((await read(owner.id, { key: admin.key })).status).toBe(200)
  })

  test('that is not a UUID returns 400', async () => {
    expect(await reach({ account_id: 'x' }, { key: owner.key })).toMatchObject({
      status: 400,
      body: { missing_fields: ['account_id'] },
    })
  })
})

describe('an organization', () => {
  test('may be used by its members, by itself, and by admins who act for a member', async () => {
    expect((await reach({ organization_id: organization.id }, { key: owner.key })).status).toBe(200)
    expect((await reach({ organization_id: organization.id }, await issueBearerFor(owner))).status).toBe(200)
    const itself = { account_id: organization.id, organization_id: organization.id }
    expect((await reach(itself, { key: owner.key })).status).toBe(200)
    expect((await reach({ account_id: owner.id, organization_id: organization.id }, { key: admin.key })).status).toBe(
      200,
    )
  })

  test('may not be used by any other account', async () => {
    const refusals = [
      await reach({ organization_id: organization.id }, { key: outsider.key }),
      await reach({ organization_id: organization.id }, { key: admin.key }),
      await reach({ organization_id: randomUUID() }, { key: owner.key }),
      await reach({ organization_id: owner.id }, { key: owner.key }),
      // The colleague is a member of the organization, but the caller is not.
      await reach({ account_id: colleague.id, organization_id: otherOrganization.id }, { key: owner.key }),
    ]
    for (const refusal of refusals)
      expect([refusal.status, refusal.body]).toEqual([
        403,
        { status: 'error', error: 'Access denied to this organization' },
      ])
  })
})

describe('an artist', () => {
  test('may be used by accounts that have it on their roster, by its organization and its members, and by admins', async () => {
    const mine = await world.makeArtist({ rosterOf: owner.id })
    const ours = await world.makeArtist({ organizationId: organization.id })
    expect((await reach({ artist_id: mine.id }, { key: owner.key })).status).toBe(200)
    expect((await reach({ artist_id: ours.id }, { key: owner.key })).status).toBe(200)
    expect((await reach({ account_id: organization.id, artist_id: ours.id }, { key: owner.key })).status).toBe(200)
    expect((await reach({ artist_id: mine.id }, { key: admin.key })).status).toBe(200)
  })

  test('may not be used by any other account', async () => {
    const mine = await world.makeArtist({ rosterOf: owner.id })
    const ours = await world.makeArtist({ organizationId: organization.id })
    const refusals = [
      await reach({ artist_id: mine.id }, { key: colleague.key }),
      await reach({ artist_id: ours.id }, { key: outsider.key }),
      await reach({ artist_id: randomUUID() }, { key: admin.key }),
      await reach({ artist_id: owner.id }, { key: owner.key }),
    ]
    for (const refusal of refusals)
      expect([refusal.status, refusal.body]).toEqual([403, { status: 'error', error: 'Access denied to this artist' }])
  })
})
