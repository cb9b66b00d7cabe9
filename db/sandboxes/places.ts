import type { SandboxPlace } from '../../domain/sandboxes/places.ts'
import type { Pool } from '../postgres/client.ts'
import { findLostCheckpoint, isCheckpointed } from './checkpoints.ts'
import { hasCrashed, isLost } from '../operator/machines.ts'

/** Stores for each sandbox which machine has its files. `machineId`: the machine of this process. */
export function createSandboxPlaces(db: Pool, machineId: string) {
  const find = async (sandboxName: string): Promise<SandboxPlace | undefined> => {
    const [place] = await db<
      SandboxPlace[]
    >`select ${columns()} from sandbox_places where sandbox_name = ${sandboxName}`
    return place
  }
  /** SQL condition: the machine of the place has crashed, and at most the changes of one step are not in a checkpoint. */
  const isReplaceable = () =>
    db`(${hasCrashed(db, db`place.machine_id`)} and ${isCheckpointed(db, db`place.sandbox_name`)})`
  const columns = () => db`machine_id as machine, epoch, (extract(epoch from lost_at) * 1000)::float8 as lost_at`

  return {
    find,

    /** Returns the place of a sandbox. Assigns a sandbox without a place to this machine. */
    claim: async (sandboxName: string): Promise<SandboxPlace> => {
      const existing = await find(sandboxName)
      if (existing !== undefined) return existing
      const [claimed] = await db<SandboxPlace[]>`
        insert into sandbox_places (sandbox_name, machine_id) values (${sandboxName}, ${machineId})
        on conflict (sandbox_name) do update set machine_id = sandbox_places.machine_id
        returning ${columns()}`
      if (claimed === undefined) throw new Error(`sandbox ${sandboxName} has no place`)
      return claimed
    },

    /**
     * Assigns the sandbox of a lost or crashed machine to this machine, with the next epoch. Does nothing if the machine has
     * returned.
     */
    takeOver: async (sandboxName: string, { machine, epoch }: SandboxPlace): Promise<void> => {
      await db`
        update sandbox_places as place
        set machine_id = ${machineId}, epoch = place.epoch + 1, lost_at = now()
        where sandbox_name = ${sandboxName} and machine_id = ${machine} and epoch = ${epoch}
          and (${isLost(db, db`place.machine_id`, machineId)} or ${isReplaceable()})`
    },

    /** Deletes the place of removed files, unless it has changed. */
    release: async (sandboxName: string, { machine, epoch }: SandboxPlace): Promise<void> => {
      await db`
        delete from sandbox_places
        where sandbox_name = ${sandboxName} and machine_id = ${machine} and epoch = ${epoch}`
    },

    /** Returns whether the machine of the place has crashed and the sandbox can be restored without waiting for the machine. */
    hasCrashed: async (sandboxName: string, machine: string): Promise<boolean> => {
      const rows = await db`
        select from sandbox_places as place
        where sandbox_name = ${sandboxName} and machine_id = ${machine} and ${isReplaceable()}`
      return rows.length > 0
    },

    findCheckpoint: (sandboxName: string, epoch: number) => findLostCheckpoint(db, sandboxName, epoch),

    /** Assigns to this machine the named sandboxes, whose files it stores, if they were created outside a fleet. */
    adopt: async (sandboxNames: string[]): Promise<void> => {
      if (sandboxNames.length === 0) return
      await db`
        insert into sandbox_places (sandbox_name, machine_id)
        select name, ${machineId} from unnest(${sandboxNames}::text[]) as name on conflict (sandbox_name) do nothing`
    },

    /** Returns the epochs of the named sandboxes on this machine. Omits sandboxes on other machines. */
    listOwn: async (sandboxNames: string[]): Promise<Map<string, number>> => {
      if (sandboxNames.length === 0) return new Map()
      const rows = await db<{ name: string; epoch: number }[]>`
        select sandbox_name as name, epoch from sandbox_places
        where sandbox_name = any(${sandboxNames}::text[]) and machine_id = ${machineId}`
      return new Map(rows.map(({ name, epoch }) => [name, epoch]))
    },

    /** Returns the address at which a machine serves its sandboxes, and whether the machine is lost. */
    findMachine: async (id: string): Promise<{ address: string | null; isLost: boolean }> => {
      const [machine] = await db<{ address: string | null; isLost: boolean }[]>`
        select (select sandbox_address from machines where id = ${id}) as address,
          ${isLost(db, db`${id}::uuid`, machineId)} as is_lost`
      return machine ?? { address: null, isLost: false }
    },
  }
}
