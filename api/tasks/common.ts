import { z } from 'zod'
import { taskSchema } from '../../domain/tasks.ts'
import { mebibytes } from '../route.ts'

export const common = {
  tag: 'Tasks',
  path: '/api/tasks',
  auth: 'key-or-bearer',
  bodyLimit: mebibytes(1),
  rate: 'default',
} as const

export const tasksAnswer = z.object({ status: z.literal('success'), tasks: z.array(taskSchema) })
