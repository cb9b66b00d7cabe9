import { trunk, type Branch } from '../../domain/chat/branches.ts'
import type { StoredMessage } from '../../domain/chat/messages.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { branchPath, onPath, type BranchChoice } from './branch-path.ts'

/** Returns a branch by its id or `main`. Undefined when the chat has no such branch. */
export async function findBranch(db: Db, chatId: string, name: string): Promise<{ id: string | null } | undefined> {
  if (name === trunk) return { id: null }
  const [branch] = await db<{ id: string }[]>`select id from chat_branches where chat_id = ${chatId} and id = ${name}`
  return branch
}

export async function findSelectedBranch(db: Db, chatId: string): Promise<string | null> {
  const [chat] = await db<{ id: string | null }[]>`select branch_id as id from chats where id = ${chatId}`
  return chat?.id ?? null
}

export async function countBranches(db: Db, chatId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`select count(*) from chat_branches where chat_id = ${chatId}`
  return row.count
}

/** A message with its position in the chat. */
export type PositionedMessage = Pick<StoredMessage, 'id' | 'role'> & {
  position: number
  branchId: string | null
  parts: number
  createdAt: Date
}

/** Returns the last message of a branch that matches the criteria, if any. */
export async function findPositionedMessage(
  db: Db,
  chatId: string,
  {
    branch,
    ...criteria
  }: { branch?: BranchChoice } & (
    | { id: string }
    /** The last message at or before this position. */
    | { through: number; role?: 'user' }
    | { last: true; role?: 'user' }
  ),
): Promise<PositionedMessage | undefined> {
  const role = 'role' in criteria && criteria.role !== undefined ? db`and role = ${criteria.role}` : db``
  const condition =
    'id' in criteria
      ? db`and ${criteria.id} in (id, sent_id)`
      : 'through' in criteria
        ? db`and position <= ${criteria.through}`
        : db``
  const [message] = await db<PositionedMessage[]>`
    with recursive ${branchPath(db, chatId, branch)}
    select id, role, position, branch_id, created_at, (
      select count(*)::int from chat_message_parts
      where chat_id = chat_messages.chat_id and message_id = chat_messages.id
    ) as parts
    from chat_messages where chat_id = ${chatId} and ${onPath(db)} ${role} ${condition}
    order by position desc limit 1`
  return message
}

/** Returns whether the chat has a message with this id on any branch. */
export async function hasMessage(db: Db, chatId: string, id: string): Promise<boolean> {
  const rows = await db`select 1 from chat_messages where chat_id = ${chatId} and id = ${id}`
  return rows.length > 0
}

/** Stores the id that the client sent for a message with a different id. */
export async function storeSentId(tx: Tx, chatId: string, id: string, sentId: string): Promise<void> {
  await tx`update chat_messages set sent_id = ${sentId} where chat_id = ${chatId} and id = ${id}`
}

/**
 * Commit to which the files are restored. With `before`, the files are restored only if the commit was made before that
 * time.
 */
export type RestoreGoal = { commit: string; before?: Date }

export type NewBranch = {
  id: string
  chatId: string
  kind: 'regenerate' | 'edit'
  versionOf: string
  runId: string
  /** Last message that the branch shares with its parent branch. Undefined without a shared message. */
  fork: Pick<PositionedMessage, 'position' | 'branchId'> | undefined
  /** Commit to which the files are restored. `none`: no suitable commit exists. Undefined: the files do not change. */
  restore: RestoreGoal | 'none' | undefined
}

/** Creates a branch and selects it. Call it in the transaction that accepts its turn. */
export async function insertBranch(tx: Tx, branch: NewBranch): Promise<void> {
  const { restore } = branch
  const [state, goal] =
    restore === undefined ? [null, null] : restore === 'none' ? ['kept', null] : ['restoring', restore]
  await tx`
    insert into chat_branches (id, chat_id, parent_id, fork_position, kind, version_of, run_id, restore_state,
      restore_commit, restore_before)
    values (${branch.id}, ${branch.chatId}, ${branch.fork?.branchId ?? null}, ${branch.fork?.position ?? 0},
      ${branch.kind}, ${branch.versionOf}, ${branch.runId}, ${state}, ${goal?.commit ?? null}, ${goal?.before ?? null})`
  await tx`update chats set branch_id = ${branch.id} where id = ${branch.chatId}`
}

/** Selects a branch if the slot of the chat is free. Returns false when a run has the slot. */
export async function selectBranch(tx: Tx, chatId: string, branchId: string | null): Promise<boolean> {
  const rows = await tx`
    update chats set branch_id = ${branchId} where id = ${chatId} and active_stream_id is null returning 1`
  return rows.length === 1
}

type BranchRow = Omit<Branch, 'usage' | 'files' | 'createdAt'> & {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  restoreState: 'kept' | 'restoring' | 'restored' | null
  restoreCommit: string | null
  live: boolean
  createdAt: Date
}

/** Returns the branches of a chat: the trunk, then the other branches in order of creation. */
export async function listBranches(db: Db, chatId: string): Promise<Branch[]> {
  const rows = await db<BranchRow[]>`
    with charged as (
      select message.branch_id, sum(input_tokens) as input_tokens, sum(cached_input_tokens) as cached_input_tokens,
        sum(output_tokens) as output_tokens, sum(credits) as credits
      from chats
      join runs on runs.session_id = chats.session_id and runs.chat_id = chats.id
      join usage_events on usage_events.run_id = runs.id
      join chat_messages as message on message.chat_id = chats.id and message.id = runs.assistant_message_id
      where chats.id = ${chatId}
      group by message.branch_id
    ), every as (
      select null as id, 'main' as kind, null as parent_id, 0 as fork_position, null as version_of, null as run_id,
        null as restore_state, null as restore_commit, created_at
      from chats where id = ${chatId}
      union all
      select id, kind, coalesce(parent_id, ${trunk}), fork_position, version_of, run_id, restore_state, restore_commit,
        created_at
      from chat_branches where chat_id = ${chatId}
    )
    select coalesce(every.id, ${trunk}) as id, kind, parent_id, version_of, run_id, restore_state, restore_commit,
      every.created_at, every.id is not distinct from (select branch_id from chats where id = ${chatId}) as selected,
      (select id from chat_messages where chat_id = ${chatId} and position = fork_position) as after_message_id,
      exists (select 1 from runs where id = every.run_id and status in ('queued', 'running')) as live,
      coalesce(input_tokens, 0)::bigint as input_tokens, coalesce(output_tokens, 0)::bigint as output_tokens,
      coalesce(cached_input_tokens, 0)::bigint as cached_input_tokens, coalesce(credits, 0)::bigint as credits
    from every left join charged on charged.branch_id is not distinct from every.id
    order by every.id is not null, every.created_at, every.id`
  return rows.map(toBranch)
}

function toBranch(row: BranchRow): Branch {
  const { inputTokens, cachedInputTokens, outputTokens, restoreState, restoreCommit, live, createdAt, ...branch } = row
  const isRestored = restoreState === 'restored'
  return {
    ...branch,
    usage: { inputTokens, cachedInputTokens, outputTokens },
    files:
      restoreState === null
        ? null
        : // The files are unchanged if the run ended before it restored them.
          {
            state: restoreState === 'restoring' && !live ? 'kept' : restoreState,
            commit: isRestored ? restoreCommit : null,
          },
    createdAt: createdAt.toISOString(),
  }
}
