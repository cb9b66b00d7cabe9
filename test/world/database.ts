import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { eventually } from './eventually.ts'

/** Clones a migrated database. */
export const cloneDatabase = async (): Promise<{
  url: string
  applicationUrl: string
  untilUnused(): Promise<void>
}> => {
  const serverUrl = inject('postgresUrl')
  const name = `world_${randomUUID().replaceAll('-', '')}`
  const onServer = async (run: (server: Pool) => Promise<unknown>): Promise<void> => {
    const server = connect({ url: serverUrl, max: 1, name: 'test world' })
    try {
      await run(server)
    } finally {
      await server.end()
    }
  }
  await onServer((server) => server`create database ${server(name)} template ${server(inject('templateDatabase'))}`)
  const url = new URL(serverUrl)
  url.pathname = name
  const applicationUrl = new URL(inject('applicationUrl'))
  applicationUrl.pathname = name
  const listConnections = (server: Pool) => server<{ owner: string }[]>`
    select application_name as owner from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`
  return {
    url: url.href,
    applicationUrl: applicationUrl.href,
    // The database is not dropped, because that takes longer than creating one and the cluster is deleted after the run.
    untilUnused: () =>
      onServer((server) =>
        eventually('the end of every database connection', async () =>
          (await listConnections(server)).length === 0 ? true : undefined,
        ),
      ),
  }
}
