import type { AccountKind } from '../../domain/accounts/accounts.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Relation of a caller to a target account, for the access rules. */
export type AccountRelation = { kind: AccountKind; isMember: boolean; sharesOrganization: boolean; isAdmin: boolean }

export type AccountPair = { callerId: string; targetId: string; adminOrganizationId: string | undefined }

/**
 * Returns the relation of the caller to the target; undefined for an unknown target. An invitation does not count as a
 * membership.
 */
export async function findRelation(db: Db, { callerId, targetId, adminOrganizationId }: AccountPair) {
  const [row] = await db<AccountRelation[]>`
    select target.kind,
      exists (
        select 1 from account_organization_ids own
        where own.account_id = ${callerId} and own.state = 'member' and own.organization_id = target.id
      ) as is_member,
      exists (
        select 1 from account_organization_ids own
        join account_organization_ids other on other.organization_id = own.organization_id
        where own.account_id = ${callerId} and own.state = 'member'
          and other.account_id = target.id and other.state = 'member'
      ) as shares_organization,
      exists (
        select 1 from account_organization_ids own
        where own.account_id = ${callerId} and own.state = 'member'
          and own.organization_id = ${adminOrganizationId ?? null}
      ) as is_admin
    from accounts target where target.id = ${targetId}`
  return row
}

export async function isMember(db: Db, accountId: string, organizationId: string): Promise<boolean> {
  const [row] = await db`
    select 1 from account_organization_ids
    where account_id = ${accountId} and organization_id = ${organizationId} and state = 'member'`
  return row !== undefined
}

/** Returns whether the artist is on the account's roster or attached to an organization of the account's owner set. */
export async function canReachArtist(db: Db, accountId: string, artistId: string): Promise<boolean> {
  const [row] = await db`
    select 1 from accounts artist
    where artist.id = ${artistId} and artist.kind = 'artist' and (
      exists (
        select 1 from account_artist_ids roster
        where roster.account_id = ${accountId} and roster.artist_id = artist.id
      ) or exists (
        select 1 from artist_organization_ids attached
        where attached.artist_id = artist.id and (
          attached.organization_id = ${accountId} or attached.organization_id in (
            select organization_id from account_organization_ids
            where account_id = ${accountId} and state = 'member'
          )
        )
      )
    )`
  return row !== undefined
}

export async function insertOrganization(db: Db, name: string): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    with organization as (
      insert into accounts (kind, name) values ('organization', ${name}) returning id
    ), balance as (
      insert into credit_balances (account_id) select id from organization
    )
    select id from organization`
  if (row === undefined) throw new Error('an inserted organization was not returned')
  return row.id
}

/** Makes an account a member. An invitation becomes a membership. */
export async function insertMember(db: Db, accountId: string, organizationId: string): Promise<void> {
  await db`
    insert into account_organization_ids (account_id, organization_id, state)
    values (${accountId}, ${organizationId}, 'member')
    on conflict (account_id, organization_id) do update set state = 'member'`
}

/** Creates an organization with its first member. Undefined, without any change, when the founder is not a person. */
export async function createOrganization(tx: Tx, name: string, founderId: string): Promise<string | undefined> {
  const [founder] = await tx`select 1 from accounts where id = ${founderId} and kind = 'person'`
  if (founder === undefined) return undefined
  const id = await insertOrganization(tx, name)
  await insertMember(tx, founderId, id)
  return id
}

/** An account that another account can act for. */
type ReachableAccount = { id: string; kind: 'person' | 'organization'; name: string | null; email: string | null }

/**
 * Returns the accounts that a person can act for, by name: people in the person's organizations and, with
 * `withOrganizations`, these organizations.
 */
export function listReachable(
  db: Db,
  callerId: string,
  { withOrganizations, limit, offset }: Page & { withOrganizations: boolean },
): Promise<ReachableAccount[]> {
  return db<ReachableAccount[]>`
    with mine as (
      select organization_id from account_organization_ids where account_id = ${callerId} and state = 'member'
    )
    select id, kind, name, (
      select email from account_emails where account_id = accounts.id order by email limit 1
    ) as email
    from accounts
    where id <> ${callerId} and (
      (${withOrganizations} and kind = 'organization' and id in (select organization_id from mine))
      or (kind = 'person' and id in (
        select account_id from account_organization_ids
        where state = 'member' and organization_id in (select organization_id from mine)
      ))
    )
    order by kind, name nulls last, id limit ${limit} offset ${offset}`
}
