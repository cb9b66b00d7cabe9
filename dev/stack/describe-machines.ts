import { localSettings, type Config } from '../../config.ts'
import { listMachines, type Machine } from '../../db/operator/machines.ts'
import { connect } from '../../db/postgres/client.ts'
import { explainLocalStores } from '../../domain/operator/machines.ts'
import { readMessage } from '../say.ts'

type Description = { state: 'ok' | 'note' | 'FAIL'; text: string }

/** Describes the machines of this deployment. `FAIL` if several are running and the settings allow only one. */
export async function describeMachines(config: Config): Promise<Description> {
  if (config.DATABASE_URL === undefined)
    return { state: 'ok', text: 'one, because other machines cannot reach the embedded Postgres' }
  const db = connect({ url: config.DATABASE_URL, max: 1, name: 'backline doctor', statementTimeoutMs: 5000 })
  try {
    return describeList(await listMachines(db), localSettings(config, 'worker'))
  } catch (error) {
    return { state: 'note', text: `unknown: the database of DATABASE_URL does not respond (${readMessage(error)}).` }
  } finally {
    await db.end({ timeout: 1 })
  }
}

function describeList(machines: Machine[], settings: string[]): Description {
  const [first, ...others] = machines.filter(({ state }) => state === 'live')
  if (first !== undefined && others.length > 0 && settings.length > 0)
    return { state: 'FAIL', text: explainLocalStores(settings, others.map(({ address }) => address).join(', ')) }
  const list = machines.map(({ address, state }) => `${address} (${state})`).join(', ')
  return { state: 'ok', text: list === '' ? 'none has started yet' : list }
}
