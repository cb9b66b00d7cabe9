import { findSkill, skillContent, type Skill } from '../../domain/tools/skills.ts'
import type { SkillInput } from '../../domain/tools/tools.ts'
import { SandboxFileError, type Sandbox } from '../../providers/sandbox/index.ts'
import type { ToolContext } from './context.ts'
import { cutText } from './cut.ts'

const fileBytes = 1024 * 1024
/** Limit of the stored output, less the JSON around the text. */
const contentBytes = 190_000

/** Reads the file again, so that the instructions are current even if the turn has changed them. */
export async function skill(sandbox: Sandbox, input: SkillInput, ctx: ToolContext): Promise<object> {
  const skills = (await ctx.skills?.()) ?? []
  const found = findSkill(skills, input.skill)
  if (found === undefined) return unknown(input.skill, skills)
  if (found.modelInvocationDisabled) return failure(`Only the user may ask for the skill ${found.name}`)
  try {
    const bytes = await sandbox.readFile(`${found.path}/SKILL.md`, { maxBytes: fileBytes, signal: ctx.signal })
    const content = skillContent(found.path, new TextDecoder().decode(bytes), input.args)
    return { success: true, skillName: found.name, skillPath: found.path, content: cutText(content, contentBytes) }
  } catch (error) {
    if (error instanceof SandboxFileError) return failure(error.message)
    throw error
  }
}

function unknown(name: string, skills: readonly Skill[]): object {
  const names = skills.filter((skill) => !skill.modelInvocationDisabled).map((skill) => skill.name)
  return failure(`There is no skill ${JSON.stringify(name)}. Skills: ${names.join(', ') || 'none'}`)
}

function failure(error: string): object {
  return { success: false, error }
}
