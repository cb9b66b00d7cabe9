import type { z } from 'zod'
import type { taskSchema } from '../../domain/tasks/tasks.ts'
import type { TestAccount, World } from '../world/world.ts'

export type WireTask = z.output<typeof taskSchema>
type Who = Pick<TestAccount, 'key'>
type Answer = {
  status: string
  tasks: WireTask[]
  error: unknown
  message?: string
  missing_fields?: (string | number)[]
  limit?: string
}

/** Once a week: every plan allows it. */
export const weekly = '0 9 * * 1'

/** Requests of a user of tasks. */
export const createTasksApi = (world: World) => {
  const sendRequest = (method: string, who: Who, { query = '', body, idempotencyKey }: TaskRequest = {}) =>
    world.request<Answer>(method, `/api/tasks${query}`, {
      key: who.key,
      body,
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })
  type TaskRequest = { query?: string; body?: unknown; idempotencyKey?: string }

  const bodyOf = async (who: TestAccount, given: object = {}) => ({
    title: 'Weekly report',
    prompt: 'Report.',
    schedule: weekly,
    artist_account_id: (await world.makeArtist({ rosterOf: who.id })).id,
    ...given,
  })

  return {
    sendRequest,
    bodyOf,
    list: (who: Who, query = '') => sendRequest('GET', who, { query }),
    create: async (who: TestAccount, given: object = {}, idempotencyKey?: string) =>
      sendRequest('POST', who, {
        body: await bodyOf(who, given),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }),
    change: (who: Who, body: unknown) => sendRequest('PATCH', who, { body }),
    remove: (who: Who, body: unknown) => sendRequest('DELETE', who, { body }),
    /** A task that is there. */
    make: async (who: TestAccount, given: object = {}): Promise<WireTask> => {
      const { status, body, text } = await sendRequest('POST', who, { body: await bodyOf(who, given) })
      const task = body.tasks?.[0]
      if (status !== 200 || task === undefined) throw new Error(`no task was made: ${status} ${text}`)
      return task
    },
    read: async (who: Who, id: string): Promise<WireTask | undefined> => {
      const { body } = await sendRequest('GET', who, { query: `?id=${id}` })
      return body.tasks[0]
    },
    countRows: async (who: TestAccount): Promise<number> => {
      const [row] = await world.db<[{ count: number }]>`
        select count(*)::int as count from tasks where account_id = ${who.id}`
      return row.count
    },
  }
}
