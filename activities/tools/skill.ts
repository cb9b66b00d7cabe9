import { z } from 'zod'
import { findSkill, skillContent, type Skill } from '../../domain/tools/skills.ts'
import { defineTool } from './define.ts'
import { cutText } from './output/cut.ts'
import { withInputErrors } from './output/files.ts'

const maxSkillBytes = 1024 * 1024
/** Maximum characters of the instructions, so that the output fits its storage limit. */
const maxCharacters = 190_000

/** Each call reads SKILL.md again, so that the instructions are current even if the turn has changed them. */
export const skill = defineTool({
  name: 'skill',
  description: 'Loads the instructions of one of the listed skills. Load them before doing what the skill describes.',
  input: z.object({
    skill: z.string().min(1).max(200).describe('Name of the skill'),
    args: z.string().max(10_000).optional().describe('The subject to which the skill is applied'),
  }),
  offeredTo: ({ isSubAgent, hasSkills }) => hasSkills && !isSubAgent,
  runsIn: 'sandbox',
  mayRepeat: true,
  run: async (input, ctx, sandbox) => {
    const skills = (await ctx.skills?.()) ?? []
    const requested = findSkill(skills, input.skill)
    if (requested === undefined) return createUnknownSkill(input.skill, skills)
    if (requested.modelInvocationDisabled) return createFailure(`Only the user may request the skill ${requested.name}`)
    return withInputErrors(async () => {
      const bytes = await sandbox.readFile(`${requested.path}/SKILL.md`, {
        maxBytes: maxSkillBytes,
        signal: ctx.signal,
      })
      const content = skillContent(requested.path, new TextDecoder().decode(bytes), input.args)
      return {
        success: true,
        skillName: requested.name,
        skillPath: requested.path,
        content: cutText(content, maxCharacters),
      }
    })
  },
})

function createUnknownSkill(name: string, skills: readonly Skill[]): object {
  const names = skills.filter((skill) => !skill.modelInvocationDisabled).map((skill) => skill.name)
  return createFailure(`There is no skill ${JSON.stringify(name)}. Skills: ${names.join(', ') || 'none'}`)
}

function createFailure(error: string): object {
  return { success: false, error }
}
