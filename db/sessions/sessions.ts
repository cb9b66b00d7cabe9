import { newChatTitle, type ChatRow } from '../../domain/chat/chats.ts'
import type { Approvals } from '../../domain/chat/approvals.ts'
import { isUuid } from '../../domain/fields/ids.ts'
import { findFreePlaceName, numberedName, placeNames } from '../../domain/sessions/titles.ts'
import type { CachedDiff, SessionRow } from '../../domain/sessions/sessions.ts'
import { deleteUnreferencedArtist, lockArtist } from '../artists/links.ts'
import { insertChat } from './chats.ts'
import type { Db, Tx } from '../postgres/client.ts'
import type { Origin } from '../../domain/runs/origin.ts'
import { deleteRunContent } from '../runs/content.ts'
import { findRequiredApprovals } from '../runs/inherited.ts'
import { queueLateRemoval, queueRemoval } from '../sandboxes/removals.ts'

/** Returns a session. Undefined for an unknown id, including an id that is not a UUID. */
export async function findSession(db: Db, id: string): Promise<SessionRow | undefined> {
  if (!isUuid(id)) return undefined
  const [session] = await db<SessionRow[]>`select ${columns(db)} from sessions where id = ${id}`
  return session
}

/**
 * Locks the session's row until the transaction ends, so that no run is accepted and no lifecycle change is written.
 */
export async function lockSession(tx: Tx, id: string): Promise<SessionRow | undefined> {
  const [session] = await tx<SessionRow[]>`select ${columns(tx)} from sessions where id = ${id} for update`
  return session
}

/** Returns the stored diff. Other session queries do not select it, because it may be several megabytes. */
export async function findCachedDiff(
  db: Db,
  { id, cachedDiffUpdatedAt }: Pick<SessionRow, 'id' | 'cachedDiffUpdatedAt'>,
): Promise<CachedDiff> {
  if (cachedDiffUpdatedAt === null) return null
  const [row] = await db<{ diff: CachedDiff }[]>`select cached_diff as diff from sessions where id = ${id}`
  return row?.diff ?? null
}

export type Workspace = { repoOwner: string; repoName: string; cloneUrl: string }

export async function findWorkspace(db: Db, ownerId: string): Promise<Workspace | undefined> {
  const [workspace] = await db<Workspace[]>`
    select repo_owner, repo_name, clone_url
    from workspace_repositories where owner_id = ${ownerId}`
  return workspace
}

export type NewSession = {
  ownerId: string
  /** Null: the session gets a generated place name. */
  title: string | null
  organizationId: string | null
  artistId: string | null
  /** Null: the workspace is determined when the sandbox is provisioned. */
  workspace: Workspace | null
  /** Title of the first chat. */
  chatTitle?: string
  modelId?: string | null
  approvals?: Approvals | null
  /** A session that a run creates also requires the approvals that the run requires. */
  origin: Origin
}

/** Inserts a session with its first chat. */
export async function insertSessionWithChat(
  tx: Tx,
  {
    ownerId,
    title,
    organizationId,
    artistId,
    workspace,
    chatTitle = newChatTitle,
    modelId = null,
    approvals: own = null,
    origin,
  }: NewSession,
): Promise<{ session: SessionRow; chat: ChatRow }> {
  const approvals = await findRequiredApprovals(tx, origin, own)
  const [session] = await tx<[SessionRow]>`
    insert into sessions (account_id, organization_id, artist_id, title, repo_owner, repo_name, clone_url, lifecycle_state,
      approvals)
    values (
      ${ownerId}, ${organizationId}, ${artistId}, ${title ?? (await generateTitle(tx, ownerId))},
      ${workspace?.repoOwner ?? null}, ${workspace?.repoName ?? null}, ${workspace?.cloneUrl ?? null}, 'provisioning',
      ${approvals === null ? null : JSON.stringify(approvals)}::text::jsonb
    )
    returning ${columns(tx)}`
  const chat = await insertChat(tx, { sessionId: session.id, ownerId, title: chatTitle, modelId })
  if (chat === undefined) throw new Error('a generated chat id already exists')
  return { session, chat }
}

export type SessionFilter = 'all' | 'active' | 'archived'

export type SessionItem = Pick<
  SessionRow,
  'id' | 'title' | 'status' | 'repoOwner' | 'repoName' | 'branch' | 'linesAdded' | 'linesRemoved' | 'artistId'
> & {
  createdAt: Date
  /** Time of the latest change of a chat of the session. */
  lastActivityAt: Date
  hasUnread: boolean
  hasStreaming: boolean
  latestChatId: string | null
}

/** Returns the sessions of an account, newest first. Aggregates chat data only for the sessions of the page. */
export function listSessions(
  db: Db,
  ownerId: string,
  { status, limit, offset }: { status: SessionFilter; limit: number; offset: number },
): Promise<SessionItem[]> {
  return db<SessionItem[]>`
  select session.id, session.title, session.status, session.repo_owner, session.repo_name, session.branch,
    session.lines_added, session.lines_removed, session.artist_id, session.created_at,
    coalesce(chat.changed_at, session.created_at) as last_activity_at, coalesce(chat.unread, false) as has_unread,
    exists (select 1 from runs where session_id = session.id and status in ('queued', 'running')) as has_streaming,
    chat.latest_id as latest_chat_id
  from (
    select id, title, status, repo_owner, repo_name, branch, lines_added, lines_removed, artist_id, created_at
    from sessions
    where account_id = ${ownerId} ${
      status === 'all' ? db`` : status === 'archived' ? db`and status = 'archived'` : db`and status <> 'archived'`
    }
    order by created_at desc, id limit ${limit} offset ${offset}
  ) as session
  left join lateral (
    select max(chats.updated_at) as changed_at,
      (array_agg(chats.id order by chats.updated_at desc, chats.id))[1] as latest_id,
      bool_or(coalesce(chats.last_assistant_message_at > coalesce(read.last_read_at, '-infinity'), false)) as unread
    from chats left join chat_reads as read on read.chat_id = chats.id and read.account_id = ${ownerId}
    where chats.session_id = session.id
  ) as chat on true
  order by session.created_at desc, session.id`
}

export async function countArchivedSessions(db: Db, ownerId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*) from sessions where account_id = ${ownerId} and status = 'archived'`
  return row.count
}

/**
 * Stores the result of `patchSession` if the session still has the version of `before`; otherwise, returns undefined. A
 * lifecycle change increments the version.
 */
export async function updateSession(tx: Tx, before: SessionRow, after: SessionRow): Promise<SessionRow | undefined> {
  const isLifecycleChange =
    after.lifecycleState !== before.lifecycleState || after.lifecycleRunId !== before.lifecycleRunId
  const [updated] = await tx<SessionRow[]>`
    update sessions set
      title = ${after.title}, status = ${after.status},
      lines_added = ${after.linesAdded}, lines_removed = ${after.linesRemoved},
      approvals = ${after.approvals === null ? null : JSON.stringify(after.approvals)}::text::jsonb,
      lifecycle_state = ${after.lifecycleState}, lifecycle_error = ${after.lifecycleError},
      lifecycle_run_id = ${after.lifecycleRunId}, sandbox_expires_at = ${after.sandboxExpiresAt},
      hibernate_after = ${after.hibernateAfter}, lifecycle_version = ${before.lifecycleVersion + (isLifecycleChange ? 1 : 0)}
    where id = ${before.id} and account_id = ${before.ownerId} and lifecycle_version = ${before.lifecycleVersion}
    returning ${columns(tx)}`
  if (updated?.lifecycleState === 'archived' && isLifecycleChange && updated.sandboxState === null)
    await queueLateRemoval(tx, updated.id)
  return updated
}

/**
 * Deletes the session with its chats and messages, and its artist if nothing else references it. Queues the removal of
 * its sandbox.
 */
export async function deleteSession(
  tx: Tx,
  { id, ownerId, artistId }: Pick<SessionRow, 'id' | 'ownerId' | 'artistId'>,
): Promise<void> {
  const [deleted] = await tx<Pick<SessionRow, 'id' | 'sandboxState'>[]>`
    delete from sessions where id = ${id} and account_id = ${ownerId} returning id, sandbox_state`
  if (deleted !== undefined) {
    await deleteRunContent(tx, { sessionId: id })
    await queueRemoval(tx, deleted)
  }
  if (artistId !== null && (await lockArtist(tx, artistId, 'delete')) !== undefined)
    await deleteUnreferencedArtist(tx, artistId)
}

function columns(db: Db) {
  return db`
  id, account_id as owner_id, organization_id, artist_id, title, status, repo_owner, repo_name, branch, clone_url,
  is_new_branch, global_skill_refs, sandbox_state, lifecycle_state, lifecycle_version, lifecycle_run_id,
  lifecycle_error, last_activity_at, sandbox_started_at, sandbox_expires_at, hibernate_after, lines_added,
  lines_removed, snapshot_url, snapshot_created_at, snapshot_size_bytes, cached_diff_updated_at, created_at,
  updated_at, approvals`
}

/**
 * Returns a title that no other session of the account has. Locks the account, so that concurrent sessions get different
 * titles.
 */
async function generateTitle(tx: Tx, accountId: string): Promise<string> {
  await tx`select 1 from accounts where id = ${accountId} for no key update`
  const sameTitles = await tx<{ title: string }[]>`
    select title from sessions where account_id = ${accountId} and title = any(${[...placeNames]})`
  const freeName = findFreePlaceName(new Set(sameTitles.map(({ title }) => title)))
  if (freeName !== undefined) return freeName
  const name = placeNames[Math.floor(Math.random() * placeNames.length)] ?? 'Session'
  const numberedTitles = await tx<{ title: string }[]>`
    select title from sessions where account_id = ${accountId} and title like ${`${name} %`}`
  return numberedName(name, new Set(numberedTitles.map(({ title }) => title)))
}
