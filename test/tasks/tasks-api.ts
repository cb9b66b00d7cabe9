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

/** A weekly cron, which every plan allows. */
export const weekly = '0 9 * * 1'

/** Creates a client of the task routes. */
export const createTasksApi = (world: World) => {
  const sendRequest = (method: string, caller: Caller, { query = '', body, idempotencyKey }: TaskRequest = {}) =>
    world.request<TasksBody>(method, `/api/tasks${query}`, {
      key: caller.key,
      body,
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })
  type TaskRequest = { query?: string; body?: unknown; idempotencyKey?: string }

  const buildBody = async (caller: TestAccount, fields: object = {}) => ({
    title: 'Weekly report',
    prompt: 'Report.',
    schedule: weekly,
    artist_account_id: (await world.makeArtist({ rosterOf: caller.id })).id,
    ...fields,
  })

  return {
    sendRequest,
    buildBody,
    list: (caller: Caller, query = '') => sendRequest('GET', caller, { query }),
    create: async (caller: TestAccount, fields: object = {}, idempotencyKey?: string) =>
      sendRequest('POST', caller, {
        body: await buildBody(caller, fields),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }),
    change: (caller: Caller, body: unknown) => sendRequest('PATCH', caller, { body }),
    remove: (caller: Caller, body: unknown) => sendRequest('DELETE', caller, { body }),
    /** Creates a task and fails if it is rejected. */
    make: async (caller: TestAccount, fields: object = {}): Promise<WireTask> => {
      const { status, body, text } = await sendRequest('POST', caller, { body: await buildBody(caller, fields) })
      const task = body.tasks?.[0]
      if (status !== 200 || task === undefined) throw new Error(`the task was not created: ${status} ${text}`)
      return task
    },
    read: async (caller: Caller, id: string): Promise<WireTask | undefined> => {
      const { body } = await sendRequest('GET', caller, { query: `?id=${id}` })
      return body.tasks[0]
    },
    countRows: async (caller: TestAccount): Promise<number> => {
      const [row] = await world.db<[{ count: number }]>`
        select count(*)::int as count from tasks where account_id = ${caller.id}`
      return row.count
    },
  }
}
