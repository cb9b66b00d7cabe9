import { localSettings, type Config } from '../../config.ts'
import { listMachines, type Machine } from '../../db/operator/machines.ts'
import { explainLocalStores } from '../../domain/operator/machines.ts'
import { readMessage } from '../say.ts'
import { fail, note, ok, type Finding } from './finding.ts'
import { withDatabase } from './with-database.ts'

/** Describes the machines of this deployment. `FAIL` if several are running and the settings allow only one. */
export async function describeMachines(config: Config): Promise<Finding> {
  if (config.DATABASE_URL === undefined) return ok('one, because other machines cannot reach the embedded Postgres')
  const target = { url: config.DATABASE_URL, name: 'backline doctor', statementTimeoutMs: 5000 }
  return withDatabase(target, listMachines).then(
    (machines) => describeList(machines, localSettings(config, 'worker')),
    (error: unknown) => note(`unknown: the database of DATABASE_URL does not respond (${readMessage(error)}).`),
  )
}

function describeList(machines: Machine[], settings: string[]): Finding {
  const [first, ...others] = machines.filter(({ state }) => state === 'live')
  if (first !== undefined && others.length > 0 && settings.length > 0)
    return fail(explainLocalStores(settings, others.map(({ address }) => address).join(', ')))
  const list = machines.map(({ address, state }) => `${address} (${state})`).join(', ')
  return ok(list === '' ? 'none has started yet' : list)
}
