import { storeRunSkills, reuseSessionSkills } from '../../db/turns/skills.ts'
import type { Skill } from '../../domain/tools/skills.ts'
import { openSessionSandbox, type SandboxDeps } from '../sandboxes/session.ts'
import { untilAborted } from '../runtime/until-aborted.ts'
import { discoverSessionSkills, discoveryTimeoutMs } from './discover.ts'

/**
 * Returns the skills of a turn and stores them with its input: the stored skills of the session, or those installed in its
 * sandbox if none are stored. Safe to run again: the first stored list is kept. If the sandbox does not respond, the turn has
 * no skills, and the tools report the failure.
 */
export async function findRunSkills(
  deps: SandboxDeps,
  { id: runId, sessionId }: { id: string; sessionId: string },
  signal: AbortSignal,
): Promise<Skill[]> {
  const knownSkills = await reuseSessionSkills(deps.db, runId)
  if (knownSkills !== undefined) return knownSkills
  let skills: Skill[] = []
  try {
    const lookupSignal = AbortSignal.any([signal, AbortSignal.timeout(discoveryTimeoutMs)])
    skills = await untilAborted(lookupSignal, () => discoverInSandbox(deps, sessionId, lookupSignal))
  } catch (error) {
    signal.throwIfAborted()
    deps.log.warn({ runId, err: error }, 'failed to read the skills of a sandbox')
  }
  return storeRunSkills(deps.db, runId, skills)
}

async function discoverInSandbox(deps: SandboxDeps, sessionId: string, signal: AbortSignal): Promise<Skill[]> {
  const { sandbox } = await openSessionSandbox(deps, sessionId)
  return discoverSessionSkills(deps, sessionId, sandbox, signal)
}
