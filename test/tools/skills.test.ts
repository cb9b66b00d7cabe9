import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discoverSkills } from '../../activities/skills/discover.ts'
import { installSkills } from '../../activities/skills/install.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import { createLocalCodeHost } from '../../providers/code-host/local/local.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { selectDrivers, useSandboxFixture, type Driver } from '../providers/sandbox/contract.ts'

const ownerId = 'aaaaaaaa-0000-4000-8000-000000000001'
const organizationId = 'aaaaaaaa-0000-4000-8000-000000000002'
const outsiderId = 'aaaaaaaa-0000-4000-8000-000000000003'

const warnings: { source?: string; skill?: string; err: { message: string } }[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line) as never) })

let root: string
const openHost = (owner: string) => createLocalCodeHost({ root, baseUrl: 'http://localhost', owner })

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

/** Creates a repository on the code host with these files on its main branch. */
const fillRepository = async (owner: string, name: string, files: Record<string, string>): Promise<void> => {
  await openHost(owner).ensureRepository(name)
  const entries = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`)
  const commit = `commit refs/heads/main\ncommitter A <a@b.c> 1700000000 +0000\n${data('Skills')}from refs/heads/main^0\n`
  execFileSync('git', ['--git-dir', join(root, owner, `${name}.git`), 'fast-import', '--quiet'], {
    input: `${commit}${entries.join('')}`,
  })
}

const skillFile = (name: string): string => `---\nname: ${name}\ndescription: about ${name}\n---\nDo ${name}.\n`

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'backline-skills-'))
  await fillRepository('shared', 'tools', {
    'skills/mix/SKILL.md': skillFile('mix'),
    'skills/mix/notes/levels.md': 'minus six',
    'mix/SKILL.md': skillFile('wrong place'),
    'master/SKILL.md': skillFile('master'),
    '.agents/skills/pan/SKILL.md': skillFile('pan'),
    'skills/platform/SKILL.md': skillFile('platform of another host'),
    'skills/huge/SKILL.md': skillFile('huge'),
    'skills/huge/blob': 'x'.repeat(6_000_000),
  })
  for (const id of [ownerId, organizationId, outsiderId])
    await fillRepository('workspaces', id, { 'skills/own/SKILL.md': skillFile(`own of ${id}`) })
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(() => {
  warnings.length = 0
})

const createRef = (source: string, skillName: string) => ({ source, skillName })

const describeInstallation = (driver: Driver): void => {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(`the installation of skills in ${title}`, () => {
    const fixture = useSandboxFixture(driver)

    const install = async (globalSkillRefs: unknown, sandbox: Sandbox = fixture.sandbox) => {
      await fixture.run('rm -rf ~/.agents')
      const session = { id: 'session', ownerId, organizationId, repoName: null, globalSkillRefs }
      // Only these members of the session are read.
      await installSkills({ codeHost: openHost('workspaces'), log }, session as unknown as SessionRow, sandbox)
      const skills = await discoverSkills(fixture.sandbox, new AbortController().signal)
      return skills.map(({ name }) => name)
    }

    it("puts the platform's skill and the session's skills, with all their files, into the home folder", async () => {
      const refs = [
        createRef('shared/tools', 'mix'),
        createRef('shared/tools', 'master'),
        createRef('shared/tools', 'pan'),
      ]
      expect(await install(refs)).toEqual(['master', 'mix', 'pan', 'platform'])
      expect(await fixture.run('cat ~/.agents/skills/mix/notes/levels.md')).toBe('minus six')
      expect(warnings).toEqual([])
    })

    it('continues after a skill that cannot be installed and logs the reason', async () => {
      const refs = [
        createRef('shared/absent', 'mix'),
        createRef('shared/tools', 'absent'),
        createRef('shared/tools', '..'),
        createRef('shared/tools', 'a/../../b'),
        createRef('../etc', 'pan'),
        createRef('shared/tools', 'huge'),
        createRef('shared/tools', 'master'),
      ]
      expect(await install(refs)).toEqual(['master', 'platform'])
      expect(warnings.map(({ skill }) => skill)).toEqual(['mix', 'absent', '..', 'a/../../b', 'pan', 'huge'])
    })

    it("does not let a session's skill replace the platform's skill", async () => {
      await install([createRef('shared/tools', 'platform')])
      expect(await fixture.run('cat ~/.agents/skills/platform/SKILL.md')).toContain("The platform's API")
      expect(warnings).toHaveLength(1)
    })

    it('reads only the workspaces of the session', async () => {
      const refs = [
        createRef(`workspaces/${outsiderId}`, 'own'),
        createRef(`Workspaces/${outsiderId.toUpperCase()}`, 'other'),
      ]
      expect(await install(refs)).toEqual(['platform'])
      expect(warnings.map(({ err }) => err.message)).toEqual(
        refs.map(() => 'the repository belongs to another account'),
      )
      expect(await install([createRef(`workspaces/${ownerId}`, 'own')])).toEqual([`own of ${ownerId}`, 'platform'])
      expect(await install([createRef(`workspaces/${organizationId}`, 'own')])).toEqual([
        `own of ${organizationId}`,
        'platform',
      ])
    })

    it('succeeds even if files cannot be written to the sandbox', async () => {
      const brokenSandbox = { ...fixture.sandbox, writeFiles: () => Promise.reject(new Error('the disk is full')) }
      expect(await install([createRef('shared/tools', 'mix')], brokenSandbox)).toEqual([])
      expect(warnings).toHaveLength(2)
    })

    it('finds no skill if there is no skill folder or if the files are in unexpected places', async () => {
      await fixture.run('rm -rf ~/.agents')
      expect(await discoverSkills(fixture.sandbox, new AbortController().signal)).toEqual([])
      await fixture.run('mkdir -p ~/.agents/skills/a/SKILL.md ~/.agents/skills/.b; echo x > ~/.agents/skills/SKILL.md')
      expect(await discoverSkills(fixture.sandbox, new AbortController().signal)).toEqual([])
    })
  })
}

for (const driver of await selectDrivers()) describeInstallation(driver)
