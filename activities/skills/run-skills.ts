import { storeRunSkills, reuseSessionSkills } from '../../db/turns/skills.ts'
import type { Skill } from '../../domain/tools/skills.ts'
import type { ActivityDeps } from '../deps.ts'
import { openSessionSandbox } from '../sandboxes/session.ts'
import { untilAborted } from '../runtime/until-aborted.ts'
import { findSkillsIn, discoveryTimeoutMs } from './discover.ts'

/**
 * Returns the skills of a turn and stores them with its input: the known skills of the session, or else those installed in
 * its sandbox now. Safe to run again: the first stored list is kept. If the sandbox does not respond, the turn has no skills,
 * and the tools report the failure.
 */
export async function findRunSkills(
  deps: ActivityDeps,
  { id: runId, sessionId }: { id: string; sessionId: string },
  signal: AbortSignal,
): Promise<Skill[]> {
  const known = await reuseSessionSkills(deps.db, runId)
  if (known !== undefined) return known
  let skills: Skill[] = []
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(discoveryTimeoutMs)])
    skills = await untilAborted(limited, () => findInSandbox(deps, sessionId, limited))
  } catch (error) {
    signal.throwIfAborted()
    deps.log.warn({ runId, err: error }, 'failed to read the skills of a sandbox')
  }
  return storeRunSkills(deps.db, runId, skills)
}

async function findInSandbox(deps: ActivityDeps, sessionId: string, signal: AbortSignal): Promise<Skill[]> {
  const { sandbox } = await openSessionSandbox(deps, sessionId)
  return findSkillsIn(deps, sessionId, sandbox, signal)
}
