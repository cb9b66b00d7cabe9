import { z } from 'zod'

/** A skill attached to a session: a repository (`owner/repo`) and the name of a skill in it. */
export const SkillRef = z.looseObject({
  source: z
    .string()
    .trim()
    .regex(/^[^/\s]+\/[^/\s]+$/),
  skillName: z.string().trim().regex(/^\S+$/),
})
export type SkillRef = z.output<typeof SkillRef>
const SkillRefs = z.array(SkillRef)

/** Reads the stored skills of a session. Returns an empty list if they are invalid. Omits repeated skills. */
export function readSkillRefs(stored: unknown): SkillRef[] {
  const parsed = SkillRefs.safeParse(stored)
  if (!parsed.success) return []
  const keys = new Set<string>()
  return parsed.data.filter((ref) => !keys.has(toKey(ref)) && keys.add(toKey(ref)))
}

function toKey({ source, skillName }: SkillRef): string {
  return `${source} ${skillName}`.toLowerCase()
}
