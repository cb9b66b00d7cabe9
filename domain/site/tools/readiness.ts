import { z } from 'zod'

export const questions = {
  workflow: [
    'Reporting and finance',
    'Research and acquisition review',
    'Content and release planning',
    'Still deciding',
  ],
  frequency: ['Every day', 'Every week', 'Every month', 'Occasionally'],
  information: ['Mostly in one system', 'Across several tools and files', 'We need to identify it'],
  access: ['Yes, with the permissions we need', 'Some of it; we need to arrange access', 'We are not sure yet'],
  method: ['Yes, the steps are documented', 'With help from the person doing it', 'Not yet; it changes each time'],
  owner: ['We have someone in mind', 'We need to agree on an owner', 'We need help training the team'],
  ai: ['We have a repeatable workflow', 'A few people use individual tools', 'We are getting started'],
} as const

export const ReadinessInput = z.strictObject({
  answers: z.strictObject({
    workflow: z.enum(questions.workflow),
    frequency: z.enum(questions.frequency),
    information: z.enum(questions.information),
    access: z.enum(questions.access),
    method: z.enum(questions.method),
    owner: z.enum(questions.owner),
    ai: z.enum(questions.ai),
  }),
})
type Answers = z.output<typeof ReadinessInput>['answers']

export const Readiness = z.looseObject({
  status: z.literal('assessed'),
  answers: z.looseObject(ReadinessInput.shape.answers.shape),
  recommendation: z.looseObject({
    title: z.string(),
    description: z.string(),
    steps: z.array(z.string()),
    interest: z.enum(['AI strategy', 'Team training', 'Custom systems']),
  }),
})
type Recommendation = z.output<typeof Readiness>['recommendation']

const mapInformation: Recommendation = {
  title: 'Map the information first',
  description: 'The work depends on records the team cannot yet find or open. Settle that before choosing a system.',
  steps: [
    'List every record and file the work reads, and who keeps each one.',
    'Ask for the access that is missing and note when it arrives.',
    'Do the work once by hand with that access and write down what was still missing.',
  ],
  interest: 'AI strategy',
}

const specifyTask: Recommendation = {
  title: 'Make one task specific',
  description: 'The information is within reach, but the task is not described well enough for someone else to do it.',
  steps: [
    'Pick one repeating task whose result can be checked.',
    'Write its inputs, steps and finished result on one page.',
    'Have a colleague follow the page and correct it where they stop.',
  ],
  interest: 'AI strategy',
}

const nameOwner: Recommendation = {
  title: 'Name and train an owner',
  description: 'The task and its information are ready, but nobody yet answers for the result.',
  steps: [
    'Choose the person who reviews every result before it is used.',
    'Go through three finished examples together, good and bad.',
    'Agree what the owner does when a result is late or wrong.',
  ],
  interest: 'Team training',
}

const scopeBuild: Recommendation = {
  title: 'Scope a small first build',
  description: 'Information, method and owner are in place. Start with one narrow workflow and measure it.',
  steps: [
    'Choose the one output the first version must produce.',
    "Record today's time and error count as the baseline.",
    'Run the new way beside the old one for two cycles, then compare.',
  ],
  interest: 'Custom systems',
}

export function assessReadiness({ answers }: { answers: Answers }): z.output<typeof Readiness> {
  const recommendation = recommend(answers)
  return {
    status: 'assessed',
    answers: { ...answers },
    recommendation: { ...recommendation, steps: [...recommendation.steps] },
  }
}

/** Returns the recommendation for the first unmet condition. The frequency of the task and the use of AI do not count. */
function recommend({ access, information, workflow, method, owner }: Answers): Recommendation {
  if (access !== questions.access[0] || information === questions.information[2]) return mapInformation
  if (workflow === questions.workflow[3] || method === questions.method[2]) return specifyTask
  return owner === questions.owner[0] ? scopeBuild : nameOwner
}
