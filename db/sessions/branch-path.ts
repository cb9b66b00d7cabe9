import type { Db } from '../postgres/client.ts'

/** Id of a branch. Null: the trunk. Undefined: the selected branch. */
export type BranchChoice = string | null | undefined

const maxPosition = '9223372036854775807'

/**
 * SQL for two common table expressions of a `with recursive` query. `path` lists the segments of a branch. Each segment
 * contains the messages of one branch up to a position.
 */
export function branchPath(db: Db, chatId: string, branch: BranchChoice) {
  const first = branch === undefined ? db`(select branch_id from chats where id = ${chatId})` : db`${branch}::text`
  return db`
    up as (
      select id, parent_id, fork_position, ${maxPosition}::bigint as until from chat_branches
      where id = ${first} and chat_id = ${chatId}
      union all
      select parent.id, parent.parent_id, parent.fork_position, up.fork_position
      from up join chat_branches as parent on parent.id = up.parent_id
    ), path as materialized (
      select id as branch_id, until from up
      union all
      select null, coalesce((select fork_position from up where parent_id is null), ${maxPosition}::bigint)
    )`
}

/**
 * SQL condition: a row of `chat_messages` is on the path. `offset 0` prevents Postgres from converting the condition to a
 * join, which would read all messages of the chat to find the last message.
 */
export function onPath(db: Db) {
  return db`
  exists (
    select 1 from path
    where path.branch_id is not distinct from chat_messages.branch_id and chat_messages.position <= path.until
    offset 0
  )`
}
