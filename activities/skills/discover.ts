import { storeRunSkills } from '../../db/turns/skills.ts'
import { readSkills } from '../../domain/skills.ts'
import type { Skill } from '../../domain/skills.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { openSessionSandbox } from '../sandbox.ts'
import { within } from '../within.ts'
import { skillsFolder } from './home.ts'

const mostSkills = 100
const startCharacters = 8000
const timeoutMs = 15_000

/** Prints the path and the start of each SKILL.md, each ended by NUL. */
const script = `
cd -- "$HOME/${skillsFolder}" 2>/dev/null || exit 0
most=${mostSkills}
for file in */SKILL.md; do
  [ -f "$file" ] && [ -r "$file" ] || continue
  [ "$most" -gt 0 ] || break
  most=$((most - 1))
  text=
  IFS= read -r -N ${startCharacters} text < "$file"
  printf '%s/%s\\0%s\\0' "$PWD" "\${file%/SKILL.md}" "$text"
done
exit 0
`

/** The skills that lie in a sandbox now. */
export const discoverSkills = async (sandbox: Sandbox, signal: AbortSignal): Promise<Skill[]> => {
  const limits = { timeoutMs, maxOutputBytes: mostSkills * startCharacters * 5, signal }
  const { output, exitCode } = await sandbox.exec(script, limits)
  if (exitCode !== 0) throw new Error(`the skills could not be listed: ${output.slice(0, 200)}`)
  const fields = output.split('\0')
  const files = fields.flatMap((path, at) =>
    at % 2 === 0 && path !== '' ? [{ path, text: fields[at + 1] ?? '' }] : [],
  )
  return readSkills(files)
}

const discover = async (deps: ActivityDeps, sessionId: string, signal: AbortSignal): Promise<Skill[]> => {
  const { sandbox } = await openSessionSandbox(deps, sessionId)
  return discoverSkills(sandbox, signal)
}

/**
 * The skills of a turn, looked for once and kept with its input. Safe to run again: what was stored first stays. A sandbox
 * that does not answer has none: its tools report the fault.
 */
export const skillsOfRun = async (
  deps: ActivityDeps,
  run: { id: string; sessionId: string },
  signal: AbortSignal,
): Promise<Skill[]> => {
  let found: Skill[] = []
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    found = await within(limited, () => discover(deps, run.sessionId, limited))
  } catch (error) {
    signal.throwIfAborted()
    deps.log.warn({ runId: run.id, err: error }, 'the skills of a sandbox could not be read')
  }
  return storeRunSkills(deps.db, run.id, found)
}
