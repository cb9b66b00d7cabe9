import { z } from 'zod'
import { subAgentTool } from '../../domain/tools/turn-tools.ts'
import { defineTool } from './define.ts'

/** A call of this tool is a sub-agent: not one execution but steps of its own. */
export const task = defineTool({
  name: subAgentTool,
  description:
    'Gives a task to a sub-agent that works in the same sandbox with its own history, and answers with its last text. ' +
    'Several tasks of one step run side by side.',
  input: z.object({
    task: z.string().min(1).describe('What is to be done, in one line'),
    instructions: z.string().min(1).describe('All that the sub-agent needs to know: it sees nothing of this chat'),
  }),
  offeredTo: ({ isSubAgent }) => !isSubAgent,
  runsIn: 'turn',
  mayRepeat: true,
})
