import { isUuid } from '../../domain/fields/ids.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import { readSkillRefs, type SkillRef } from '../../domain/tools/skill-refs.ts'
import type { CodeHostPort } from '../../providers/code-host/index.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { untilAborted } from '../runtime/until-aborted.ts'
import type { LogDeps } from '../deps.ts'
import { findHome, skillsFolder } from './home.ts'
import { readPlatformSkills, type SkillFiles } from './platform.ts'

type InstallDeps = Pick<LogDeps, 'log'> & { codeHost: Pick<CodeHostPort, 'readTree'> }

const skillTimeoutMs = 120_000
/** Timeout for all skills together, so that the start of the sandbox ends in time. */
const totalTimeoutMs = 200_000
const maxFiles = 200
const maxBytes = 5 * 1024 * 1024

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/**
 * Installs the platform's skills and then the session's skills in the home folder of its sandbox. A failed installation is only
 * logged. Safe to run again: files are replaced.
 */
export async function installSkills(deps: InstallDeps, session: SessionRow, sandbox: Sandbox): Promise<void> {
  const totalTimeout = AbortSignal.timeout(totalTimeoutMs)
  const installedNames = new Set<string>()
  let home: Promise<string> | undefined
  const attempt = async (label: object, read: () => Promise<SkillFiles>): Promise<void> => {
    try {
      const signal = AbortSignal.any([totalTimeout, AbortSignal.timeout(skillTimeoutMs)])
      const { name, files } = await untilAborted(signal, read)
      if (installedNames.has(name.toLowerCase())) throw new Error('a skill with this name is already installed')
      home ??= findHome(sandbox, signal)
      const folder = `${await home}/${skillsFolder}/${name}`
      const skillFiles = files.map(({ path, content }) => ({ path: `${folder}/${path}`, content }))
      await untilAborted(signal, () => sandbox.writeFiles(skillFiles, { signal }))
      installedNames.add(name.toLowerCase())
    } catch (error) {
      deps.log.warn({ sessionId: session.id, ...label, err: error }, 'failed to install a skill')
    }
  }
  for (const skill of await readPlatformSkills()) await attempt({ skill: skill.name }, async () => skill)
  for (const ref of readSkillRefs(session.globalSkillRefs))
    await attempt({ source: ref.source, skill: ref.skillName }, () => readSkill(deps, ref, session))
}

async function readSkill({ codeHost }: InstallDeps, ref: SkillRef, session: SessionRow): Promise<SkillFiles> {
  const [owner = '', repository = ''] = ref.source.split('/')
  const name = ref.skillName
  if (!namePattern.test(name)) throw new Error('the name is not a valid skill name')
  if (!mayRead(repository, session)) throw new Error('the repository belongs to another account')
  const { files } = await codeHost.readTree({ owner, name: repository })
  const folder = listSkillPaths(name).find((candidate) => files.some(({ path }) => path === `${candidate}SKILL.md`))
  if (folder === undefined) throw new Error('the repository does not contain this skill')
  const skillFiles = files
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path, content }) => ({ path: path.slice(folder.length), content }))
  const bytes = skillFiles.reduce((sum, { content }) => sum + content.length, 0)
  if (skillFiles.length > maxFiles || bytes > maxBytes) throw new Error('the skill is too large')
  return { name, files: skillFiles }
}

/** True if the session may read the repository. A repository whose name is a UUID is the workspace of one owner. */
function mayRead(repository: string, session: SessionRow): boolean {
  return (
    !isUuid(repository.toLowerCase()) ||
    [session.ownerId, session.organizationId, session.repoName].includes(repository.toLowerCase())
  )
}

/** Returns the possible folders of a skill in a repository. The first folder with a SKILL.md is used. */
function listSkillPaths(name: string): string[] {
  return [`skills/${name}/`, `${name}/`, `.agents/skills/${name}/`]
}
