import { z } from 'zod'
import { questionTool } from '../../domain/tools/turn-tools.ts'
import { defineTool } from './define.ts'

const question = z.object({
  question: z.string().min(1),
  header: z.string().max(12),
  options: z
    .array(z.object({ label: z.string().min(1), description: z.string() }))
    .min(2)
    .max(4),
  multiSelect: z.boolean().default(false),
})

/** A call of this tool ends the turn, and the user answers it. A headless run has no user. */
export const askUserQuestion = defineTool({
  name: questionTool,
  description: 'Asks the user one to four questions with options. The turn ends and continues with the answers.',
  input: z.object({ questions: z.array(question).min(1).max(4) }),
  offeredTo: ({ isSubAgent, headless }) => !isSubAgent && !headless,
  runsIn: 'turn',
  mayRepeat: true,
})
