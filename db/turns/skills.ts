import type { Skill } from '../../domain/skills.ts'
import type { Db } from '../client.ts'

/** Keeps the skills that a turn begins with; answers those that were kept first. */
export const storeRunSkills = async (db: Db, runId: string, found: Skill[]): Promise<Skill[]> => {
  const [row] = await db<{ skills: Skill[] }[]>`
    update run_inputs set skills = coalesce(skills, ${JSON.stringify(found)}::text::json)
    where run_id = ${runId} returning skills`
  return row?.skills ?? found
}

/** The skills that a turn began with; none when they were never read, or the turn has ended. */
export const listRunSkills = async (db: Db, runId: string): Promise<Skill[]> => {
  const [row] = await db<{ skills: Skill[] | null }[]>`select skills from run_inputs where run_id = ${runId}`
  return row?.skills ?? []
}
