import { eventually, type World } from '../world/world.ts'

/** Resolves when Postgres has ended the statements of these sessions of dead processes. */
export const untilForgotten = (world: World, pids: readonly number[]): Promise<true> =>
  eventually('the end of the statements of a dead process', async () => {
    const rows = await world.db`select 1 from pg_stat_activity where pid in ${world.db([...pids])}`
    return rows.length === 0 || undefined
  })
