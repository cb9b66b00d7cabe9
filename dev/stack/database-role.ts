import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { readRoleState, type RoleState } from '../../db/postgres/application-role.ts'
import { createDataDir } from './data-dir.ts'
import { findLockHolder } from './file-lock.ts'
import { note, ok, type Finding } from './finding.ts'
import { postgresUrls } from './postgres/server.ts'
import { readMessage } from '../say.ts'
import { withDatabase } from './with-database.ts'

/** Describes the privileges of the database role of the API and the workers. */
export async function describeRole(config: Config): Promise<Finding> {
  if (config.DATABASE_URL !== undefined)
    return describeRoleAt(config.DATABASE_URL, 'the database of DATABASE_URL does not respond')
  const dataDir = createDataDir(resolve(config.DATA_DIR))
  if ((await findLockHolder(dataDir.lock)) === undefined)
    return ok('API and workers get a separate role at the first start, which owns no tables')
  const { postgresPassword: password, applicationPassword } = await dataDir.loadSecrets()
  const { applicationUrl } = postgresUrls({ port: config.POSTGRES_PORT, password, applicationPassword })
  return describeRoleAt(applicationUrl, 'the database does not respond yet')
}

function describeRoleAt(url: string, failure: string): Promise<Finding> {
  return withDatabase({ url, name: 'backline doctor', statementTimeoutMs: 5000 }, readRoleState).then(
    describeState,
    (error: unknown) => note(`unknown: ${failure} (${readMessage(error)}).`),
  )
}

function describeState({ role, isSuperuser, ownsTables, canRewrite }: RoleState): Finding {
  if (!isSuperuser && !ownsTables && !canRewrite)
    return ok(`${role} cannot change the schema, the audit log or the ledger`)
  const reason = isSuperuser
    ? 'is a superuser'
    : ownsTables
      ? 'owns the tables'
      : 'can change the audit log and the ledger'
  return note(
    `${role} ${reason}, so anyone with its password can rewrite the audit log. Set DATABASE_MIGRATION_URL to this role and DATABASE_URL to a role for the application, and run \`npm run migrate\` (content/docs/run/deploys.md).`,
  )
}
