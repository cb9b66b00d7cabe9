import { z } from 'zod'
import { subAgentTool } from '../../domain/tools/turn-tools.ts'
import { defineTool } from './define.ts'

/** A call of this tool runs a sub-agent, which has its own steps. */
export const task = defineTool({
  name: subAgentTool,
  description:
    'Gives a task to a sub-agent that works in the same sandbox with its own history, and returns its last text. ' +
    'Several tasks of one step run concurrently.',
  input: z.object({
    task: z.string().min(1).describe('The task, in one line'),
    instructions: z
      .string()
      .min(1)
      .describe('Everything that the sub-agent needs to know, because it does not see this chat'),
  }),
  offeredTo: ({ isSubAgent }) => !isSubAgent,
  runsIn: 'turn',
  mayRepeat: true,
})
