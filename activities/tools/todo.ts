import { z } from 'zod'
import { defineTool } from './define.ts'

export const todo = defineTool({
  name: 'todo',
  description: 'Replaces the to-do list of this turn.',
  input: z.object({
    todos: z.array(
      z.object({
        id: z.string().min(1),
        content: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    ),
  }),
  offeredTo: ({ isSubAgent }) => !isSubAgent,
  runsIn: 'worker',
  mayRepeat: true,
  run: async ({ todos }) => ({
    success: true,
    message: todos.length === 0 ? 'The list is empty' : `The list has ${todos.length} items`,
    todos,
  }),
})
