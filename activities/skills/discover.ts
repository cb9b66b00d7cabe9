import { storeSessionSkills } from '../../db/turns/skills.ts'
import { readSkills, type Skill } from '../../domain/tools/skills.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import type { DbDeps } from '../deps.ts'
import { skillsFolder } from './home.ts'

const maxSkills = 100
const maxCharacters = 8000
/** Timeout of a lookup of the skills in a sandbox. */
export const discoveryTimeoutMs = 15_000

/** Prints the path and the start of each SKILL.md, each terminated by NUL. */
const script = `
cd -- "$HOME/${skillsFolder}" 2>/dev/null || exit 0
most=${maxSkills}
for file in */SKILL.md; do
  [ -f "$file" ] && [ -r "$file" ] || continue
  [ "$most" -gt 0 ] || break
  most=$((most - 1))
  text=
  IFS= read -r -N ${maxCharacters} text < "$file"
  printf '%s/%s\\0%s\\0' "$PWD" "\${file%/SKILL.md}" "$text"
done
exit 0
`

/** Returns the skills that are currently installed in a sandbox. */
export async function discoverSkills(sandbox: Sandbox, signal: AbortSignal): Promise<Skill[]> {
  const limits = { timeoutMs: discoveryTimeoutMs, maxOutputBytes: maxSkills * maxCharacters * 5, signal }
  const { output, exitCode } = await sandbox.exec(script, limits)
  if (exitCode !== 0) throw new Error(`the skills could not be listed: ${output.slice(0, 200)}`)
  const fields = output.split('\0')
  const files = fields.flatMap((path, index) =>
    index % 2 === 0 && path !== '' ? [{ path, text: fields[index + 1] ?? '' }] : [],
  )
  return readSkills(files)
}

/** Finds the skills of a session's sandbox and stores them for later turns. */
export async function discoverSessionSkills(
  { db }: DbDeps,
  sessionId: string,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<Skill[]> {
  const startedAt = performance.now()
  const skills = await discoverSkills(sandbox, signal)
  await storeSessionSkills(db, { sessionId, found: skills, sinceMs: performance.now() - startedAt })
  return skills
}
