import { z } from 'zod'
import { taskSchema } from '../../domain/tasks/tasks.ts'
import { mebibytes } from '../http/route.ts'
import { successOf } from '../../domain/fields/fields.ts'

export const routeDefaults = {
  tag: { name: 'Tasks', description: 'Agent runs on a schedule.' },
  path: '/api/tasks',
  auth: 'key-or-bearer',
  bodyLimit: mebibytes(1),
  rate: 'default',
} as const

/** Time limit in milliseconds for Temporal to apply a change. */
export const scheduleSyncTimeoutMs = 15_000

export const tasksResponse = successOf({ tasks: z.array(taskSchema) })
