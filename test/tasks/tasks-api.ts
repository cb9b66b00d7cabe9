import type { z } from 'zod'
import type { taskSchema } from '../../domain/tasks/tasks.ts'
import type { TestAccount, World } from '../world/world.ts'

export type WireTask = z.output<typeof taskSchema>
type Caller = Pick<TestAccount, 'key'>
type TasksBody = {
  status: string
  tasks: WireTask[]
  error: unknown
  message?: string
  missing_fields?: (string | number)[]
  limit?: string
}

/** Once a week, which every plan allows. */
export const weekly = '0 9 * * 1'

/** Task requests of a user. */
export const createTasksApi = (world: World) => {
  const sendRequest = (method: string, who: Caller, { query = '', body, idempotencyKey }: TaskRequest = {}) =>
    world.request<TasksBody>(method, `/api/tasks${query}`, {
      key: who.key,
      body,
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })
  type TaskRequest = { query?: string; body?: unknown; idempotencyKey?: string }

  const buildBody = async (who: TestAccount, fields: object = {}) => ({
    title: 'Weekly report',
    prompt: 'Report.',
    schedule: weekly,
    artist_account_id: (await world.makeArtist({ rosterOf: who.id })).id,
    ...fields,
  })

  return {
    sendRequest,
    bodyOf: buildBody,
    list: (who: Caller, query = '') => sendRequest('GET', who, { query }),
    create: async (who: TestAccount, fields: object = {}, idempotencyKey?: string) =>
      sendRequest('POST', who, {
        body: await buildBody(who, fields),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }),
    change: (who: Caller, body: unknown) => sendRequest('PATCH', who, { body }),
    remove: (who: Caller, body: unknown) => sendRequest('DELETE', who, { body }),
    /** Creates a task, or fails. */
    make: async (who: TestAccount, fields: object = {}): Promise<WireTask> => {
      const { status, body, text } = await sendRequest('POST', who, { body: await buildBody(who, fields) })
      const task = body.tasks?.[0]
      if (status !== 200 || task === undefined) throw new Error(`the task was not created: ${status} ${text}`)
      return task
    },
    read: async (who: Caller, id: string): Promise<WireTask | undefined> => {
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
