import type { Pack } from '../../domain/sandboxes/checkpoints.ts'
import type { LostCheckpoint } from '../../domain/sandboxes/places.ts'
import type { Db } from '../postgres/client.ts'

/** A sandbox at its place. A checkpoint is stored only while the place of the sandbox has this machine and epoch. */
export type CheckpointTarget = { sandboxName: string; machine: string; epoch: number }

/** The step after which a checkpoint was taken. */
export type CheckpointCause = { runId: string; step: number | null }

/** Minimum age of a pack that no checkpoint uses before it is deleted. Must exceed the duration of an upload. */
const minGarbageSeconds = 15 * 60

/**
 * Records that a step starts to change files. Returns whether earlier changes are not in a checkpoint. Does nothing for a
 * sandbox without a place.
 */
export async function markChanged(db: Db, sandboxName: string): Promise<boolean> {
  const [row] = await db<{ wasChanged: boolean }[]>`
    with previous as (select changed_at from sandbox_checkpoints where sandbox_name = ${sandboxName})
    insert into sandbox_checkpoints (sandbox_name, epoch, changed_at)
    select sandbox_name, epoch, now() from sandbox_places where sandbox_name = ${sandboxName}
    on conflict (sandbox_name) do update set changed_at = excluded.changed_at
    returning exists (select 1 from previous where changed_at is not null) as was_changed`
  return row?.wasChanged ?? false
}

/** Registers a pack before it is uploaded. Returns the packs of the checkpoint of this epoch, oldest first. */
export async function startPack(db: Db, packId: string, { sandboxName, epoch }: CheckpointTarget): Promise<Pack[]> {
  const [row] = await db<{ packs: Pack[] | null }[]>`
    with pack as (insert into sandbox_packs (id, sandbox_name) values (${packId}, ${sandboxName}))
    select packs from sandbox_checkpoints where sandbox_name = ${sandboxName} and epoch = ${epoch}`
  return row?.packs ?? []
}

/**
 * Stores a checkpoint with the time of the pack `packId`. `packs` ends with this pack, or equals `previous` if the files are
 * unchanged. Does nothing if the sandbox has moved or another checkpoint was stored since `previous` was read. `isSettled`:
 * no step changes files.
 */
export async function saveCheckpoint(
  db: Db,
  { sandboxName, machine, epoch }: CheckpointTarget,
  { packId, previous, packs, cause, isSettled }: CheckpointUpdate,
): Promise<void> {
  await db`
    update sandbox_checkpoints as checkpoint
    set epoch = ${epoch}, packs = ${db.json(packs)}, taken_at = pack.created_at, run_id = ${cause.runId},
      step = ${cause.step}, is_too_large = false, is_outdated = false, ${clearChanged(db, isSettled)}
    from sandbox_places as place, sandbox_packs as pack
    where checkpoint.sandbox_name = ${sandboxName} and place.sandbox_name = ${sandboxName}
      and place.machine_id = ${machine} and place.epoch = ${epoch} and pack.id = ${packId}
      and (checkpoint.epoch < ${epoch} or (checkpoint.epoch = ${epoch} and checkpoint.packs = ${db.json(previous)}))`
}

type CheckpointUpdate = {
  packId: string
  previous: Pack[]
  packs: Pack[]
  cause: CheckpointCause
  isSettled: boolean
}

/**
 * Records that a checkpoint was not stored. `isTooLarge`: the files exceed the size limit. `isPush`: the changes were pushed,
 * so an earlier checkpoint that may lack several steps is dropped.
 */
export async function skipCheckpoint(
  db: Db,
  { sandboxName, machine, epoch }: CheckpointTarget,
  options: { packId: string; isTooLarge: boolean; isPush: boolean; isSettled: boolean },
): Promise<void> {
  const { packId, isTooLarge, isPush, isSettled } = options
  await db`
    update sandbox_checkpoints as checkpoint
    set is_too_large = is_too_large or ${isTooLarge},
      packs = case when ${isPush} and is_outdated then '[]' else packs end,
      taken_at = case when ${isPush} and is_outdated then null else taken_at end,
      is_outdated = true, ${clearChanged(db, isSettled)}
    from sandbox_places as place, sandbox_packs as pack
    where checkpoint.sandbox_name = ${sandboxName} and place.sandbox_name = ${sandboxName}
      and place.machine_id = ${machine} and place.epoch = ${epoch} and pack.id = ${packId}`
}

/** Returns the newest checkpoint of an older epoch; undefined if no step has changed files. */
export async function findLostCheckpoint(
  db: Db,
  sandboxName: string,
  epoch: number,
): Promise<({ packs: string[] } & LostCheckpoint) | undefined> {
  const [row] = await db<{ packs: string[]; at: number | null; runId: string; step: number; isTooLarge: boolean }[]>`
    select (select coalesce(json_agg(pack -> 'id' order by position), '[]')
        from jsonb_array_elements(packs) with ordinality as packs (pack, position)) as packs,
      (extract(epoch from taken_at) * 1000)::float8 as at, run_id, step, is_too_large
    from sandbox_checkpoints where sandbox_name = ${sandboxName} and epoch < ${epoch}`
  return row
}

/**
 * SQL condition: the sandbox has a checkpoint, or its first checkpoint was started but the next step has not waited for it.
 * Only the changes of one step are then not in a checkpoint, unless a later checkpoint has failed.
 */
export function isCheckpointed(db: Db, sandboxName: ReturnType<Db>) {
  return db`exists (
    select from sandbox_checkpoints as checkpoint
    where checkpoint.sandbox_name = ${sandboxName} and not is_too_large
      and (packs <> '[]' or (select count(*) from sandbox_packs where sandbox_packs.sandbox_name = ${sandboxName}) <= 1)
  )`
}

/** Returns the ids of packs that no checkpoint uses. */
export async function listUnusedPacks(db: Db, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from sandbox_packs as pack
    where created_at < now() - make_interval(secs => ${minGarbageSeconds}::float8) and not exists (
      select 1 from sandbox_checkpoints as checkpoint
      where checkpoint.sandbox_name = pack.sandbox_name
        and checkpoint.packs @> jsonb_build_array(jsonb_build_object('id', pack.id))
    )
    order by created_at limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Deletes the record of a pack whose object does not exist. */
export async function deletePack(db: Db, id: string): Promise<void> {
  await db`delete from sandbox_packs where id = ${id}`
}

/** SQL that records that the changes before the attempt were handled, unless a step still changes files. */
function clearChanged(db: Db, isSettled: boolean) {
  return db`changed_at = case when ${isSettled} and changed_at <= pack.created_at then null else changed_at end`
}
