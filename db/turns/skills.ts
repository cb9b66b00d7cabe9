import type { Skill } from '../../domain/tools/skills.ts'
import type { Db } from '../postgres/client.ts'

/** Stores the skills at the start of a turn, unless the turn already has stored skills. Returns the stored skills. */
export async function storeRunSkills(db: Db, runId: string, found: Skill[]): Promise<Skill[]> {
  const [row] = await db<{ skills: Skill[] }[]>`
    update run_inputs set skills = coalesce(skills, ${JSON.stringify(found)}::text::json)
    where run_id = ${runId} returning skills`
  return row?.skills ?? found
}

/**
 * Stores the latest skills of the session for a turn and returns them. Undefined when a tool has changed files since the
 * skills were read, or a tool is running.
 */
export async function reuseSessionSkills(db: Db, runId: string): Promise<Skill[] | undefined> {
  const [row] = await db<{ skills: Skill[] }[]>`
    update run_inputs set skills = coalesce(run_inputs.skills, known.skills)
    from runs run join session_skills known on known.session_id = run.session_id
    where run.id = ${runId} and run_inputs.run_id = run.id and known.seen_at > known.changed_at
      and not exists (
        select 1 from runs join run_tool_calls tool on tool.run_id = runs.id
        where runs.session_id = known.session_id and runs.status in ('queued', 'running')
          and tool.started_at is not null and tool.ended_at is null
      )
    returning run_inputs.skills`
  return row?.skills
}

/**
 * Stores the skills from a read of a session's sandbox that started `sinceMs` ago, unless a later read was stored.
 */
export async function storeSessionSkills(
  db: Db,
  { sessionId, found, sinceMs }: { sessionId: string; found: Skill[]; sinceMs: number },
): Promise<void> {
  await db`
    insert into session_skills (session_id, skills, seen_at)
    select id, ${JSON.stringify(found)}::text::json, clock_timestamp() - make_interval(secs => ${sinceMs / 1000})
    from sessions where id = ${sessionId}
    on conflict (session_id) do update set skills = excluded.skills, seen_at = excluded.seen_at
    where session_skills.seen_at < excluded.seen_at`
}

/** Returns whether the newest read of the session's skills started before `before`, in epoch milliseconds. */
export async function hasReadSkills(db: Db, sessionId: string, before: number): Promise<boolean> {
  const rows = await db`
    select from session_skills
    where session_id = ${sessionId} and seen_at > '-infinity' and seen_at < to_timestamp(${before / 1000}::float8)`
  return rows.length > 0
}

/** Returns the skills at the start of a turn; an empty list when they were never read or the turn has ended. */
export async function listRunSkills(db: Db, runId: string): Promise<Skill[]> {
  const [row] = await db<{ skills: Skill[] | null }[]>`select skills from run_inputs where run_id = ${runId}`
  return row?.skills ?? []
}
