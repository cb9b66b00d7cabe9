import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { readRoleState, type RoleState } from '../../db/postgres/application-role.ts'
import { connect } from '../../db/postgres/client.ts'
import { createDataDir } from './data-dir.ts'
import { findLockHolder } from './file-lock.ts'
import { postgresUrls } from './postgres/server.ts'
import { readMessage } from '../say.ts'

type Description = { state: 'ok' | 'note' | 'FAIL'; text: string }

/** Describes the privileges of the database role of the API and the workers. */
export async function describeRole(config: Config): Promise<Description> {
  if (config.DATABASE_URL !== undefined)
    return describeRoleAt(config.DATABASE_URL).catch((error: unknown) => ({
      state: 'note',
      text: `unknown: the database of DATABASE_URL does not respond (${readMessage(error)}).`,
    }))
  const dataDir = createDataDir(resolve(config.DATA_DIR))
  if ((await findLockHolder(dataDir.lock)) === undefined)
    return { state: 'ok', text: 'API and workers get a separate role at the first start, which owns no tables' }
  const { postgresPassword: password, applicationPassword } = await dataDir.loadSecrets()
  return describeRoleAt(
    postgresUrls({ port: config.POSTGRES_PORT, password, applicationPassword }).applicationUrl,
  ).catch((error: unknown) => ({
    state: 'note',
    text: `unknown: the database does not respond yet (${readMessage(error)}).`,
  }))
}

async function describeRoleAt(url: string): Promise<Description> {
  const db = connect({ url, max: 1, name: 'backline doctor', statementTimeoutMs: 5000 })
  try {
    return describeState(await readRoleState(db))
  } finally {
    await db.end({ timeout: 1 })
  }
}

function describeState({ role, isSuperuser, ownsTables, canRewrite }: RoleState): Description {
  if (!isSuperuser && !ownsTables && !canRewrite)
    return { state: 'ok', text: `${role} cannot change the schema, the audit log or the ledger` }
  const reason = isSuperuser
    ? 'is a superuser'
    : ownsTables
      ? 'owns the tables'
      : 'can change the audit log and the ledger'
  return {
    state: 'note',
    text: `${role} ${reason}, so anyone with its password can rewrite the audit log. Set DATABASE_MIGRATION_URL to this role and DATABASE_URL to a role for the application, and run \`npm run migrate\` (content/docs/run/deploys.md).`,
  }
}
