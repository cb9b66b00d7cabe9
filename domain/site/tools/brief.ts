import { z } from 'zod'
import { countCodePoints } from '../search/characters.ts'

export const interests = ['AI strategy', 'Custom systems', 'Team training', 'Podcast guest', 'Not sure yet'] as const

export const BriefInput = z.strictObject({
  workflow: passage(20, 500, 'The work as it is done today.'),
  desiredOutcome: passage(10, 500, 'What should be there when it is done.'),
  tools: passage(1, 500, 'Programs and files in use today.').optional(),
  frequency: passage(1, 120, 'How often the work comes up.').optional(),
  interest: z.enum(interests).default('Not sure yet').meta({ description: 'What the visitor asks about.' }),
})

export const Brief = z.looseObject({
  status: z.literal('draft'),
  draft: z.looseObject({ interest: z.enum(interests), message: z.string() }),
  submitted: z.literal(false),
  nextStep: z.literal('/contact'),
})

export function prepareBrief(input: z.output<typeof BriefInput>): z.output<typeof Brief> {
  const sections = [
    ['Workflow', input.workflow],
    ['Desired outcome', input.desiredOutcome],
    ['Current tools', input.tools],
    ['Frequency', input.frequency],
  ] as const
  const message = sections
    .flatMap(([label, text]) => (text === undefined ? [] : [`${label}\n${text.trim()}`]))
    .join('\n\n')
  return { status: 'draft', draft: { interest: input.interest, message }, submitted: false, nextStep: '/contact' }
}

function passage(minTrimmed: number, maxLength: number, description: string) {
  return z
    .string()
    .refine((text) => countCodePoints(text.trim()) >= minTrimmed && countCodePoints(text) <= maxLength)
    .meta({ description, minLength: minTrimmed, maxLength })
}
