import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { checkPooling } from '../../../db/postgres/pooling.ts'
import { explainUnusableDatabase } from '../../../db/postgres/ready.ts'
import { connect } from '../../../db/postgres/client.ts'
import { createChatApi } from '../../chat/chat-api.ts'
import { createTaskRunsApi, settings } from '../../tasks/runs/task-runs-api.ts'
import { createWorld, type World } from '../../world/world.ts'
import { ensurePgbouncer, startPgbouncer } from './pgbouncer.ts'

const version = (await ensurePgbouncer()) ?? '0'
/** Whether this version supports prepared statements in transaction mode. */
const supportsStatements = Number(version.split('.')[1]) >= 21

const explainRefusal = async (
  settings: Record<string, string | undefined>,
  hasSessionUrl: boolean,
): Promise<string> => {
  const sessionUrl = inject('applicationUrl')
  const supportedSettings = supportsStatements ? {} : { max_prepared_statements: undefined }
  const pooler = await startPgbouncer(sessionUrl, { ...supportedSettings, ...settings })
  const db = connect({ url: pooler.url, max: 1, name: 'test' })
  try {
    await explainUnusableDatabase(db)
    await checkPooling({ url: pooler.url, sessionUrl: hasSessionUrl ? sessionUrl : pooler.url })
    return 'accepted'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await db.end({ timeout: 1 })
    await pooler.close()
  }
}

test.runIf(version !== '0')(
  'an unusable pooler is rejected with a sentence that states the required setting',
  async () => {
    const statements = supportsStatements ? { max_prepared_statements: '0' } : {}
    expect(await explainRefusal({ ignore_startup_parameters: '' }, true)).toMatch(
      /^The connection pooler of DATABASE_URL rejects the startup parameter \w+\. Add it to ignore_startup_parameters of pgbouncer, and set it in its connect_query\.$/,
    )
    expect(await explainRefusal(statements, true)).toBe(
      'The connection pooler of DATABASE_URL loses prepared statements. Use pgbouncer 1.21 or later, and set its max_prepared_statements to 200 or more.',
    )
    expect(await explainRefusal({ pool_mode: 'session' }, false)).toBe('accepted')
  },
)

test('a server without a pooler needs only one URL', async () => {
  const url = inject('applicationUrl')
  await checkPooling({ url, sessionUrl: url })
})

describe.runIf(supportsStatements)('through a pgbouncer in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>
  let world: World
  beforeAll(async () => {
    pooler = await startPgbouncer(inject('applicationUrl'))
    world = await createWorld({ settings, poolerPort: pooler.port })
  })
  afterAll(async () => {
    await world.close()
    await pooler.close()
  })

  test('a single URL is rejected, because locks and LISTEN need a session', async () => {
    expect(await explainRefusal({}, false)).toBe(
      'DATABASE_URL points to a connection pooler in transaction mode. Set DATABASE_SESSION_URL to the address of Postgres itself, because locks and LISTEN need a session.',
    )
    await expect(checkPooling({ url: inject('applicationUrl'), sessionUrl: pooler.url })).rejects.toThrow(
      'DATABASE_SESSION_URL points to a connection pooler in transaction mode. Set it to the address of Postgres itself',
    )
  })

  test('a turn, an idempotent request and a task run succeed', async () => {
    const chats = createChatApi(world)
    const chat = await chats.openChat()
    expect((await chats.send(chat, '@say hello')).done).toBe(true)

    const { key } = chat.account
    const sent = { key, headers: { 'idempotency-key': randomUUID() }, body: { title: 'Once' } }
    const [first, again] = [
      await world.request<{ session: { id: string } }>('POST', '/api/sessions', sent),
      await world.request<{ session: { id: string } }>('POST', '/api/sessions', sent),
    ]
    expect(first.status).toBe(200)
    expect(again.body.session.id).toBe(first.body.session.id)

    const tasks = createTaskRunsApi(world)
    const taskId = await tasks.makeTask(chat.account)
    await tasks.fire(taskId)
    const [run] = await tasks.untilAllEnded(chat.account, taskId, 1)
    expect(run?.status).toBe('COMPLETED')
    const [{ servers } = { servers: 0 }] = await world.db<{ servers: number }[]>`
      select count(*)::int as servers from pg_stat_activity
      where datname = current_database() and application_name = 'backline worker'`
    expect(servers).toBeLessThanOrEqual(5)
  })
})
