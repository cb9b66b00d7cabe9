import { eventually, type World } from '../world/world.ts'

/** Waits until Postgres has ended the sessions of dead processes. */
export const untilSessionsEnded = (world: World, pids: readonly number[]): Promise<true> =>
  eventually('the end of the sessions of a dead process', async () => {
    const rows = await world.db`select 1 from pg_stat_activity where pid in ${world.db([...pids])}`
    return rows.length === 0 || undefined
  })
