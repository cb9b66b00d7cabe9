import { Context } from '@temporalio/activity'
import { deleteAccountSandbox, listAccountSandboxes } from '../../../db/sandboxes/personal.ts'
import {
  findAccountSnapshot,
  listAccountOrganizations,
  recordSourceRepository,
  replaceSnapshot,
} from '../../../db/sandboxes/snapshots.ts'
import {
  personalRepositoryName,
  setupMessage,
  snapshotLifetimeMs,
  type SetupStep,
} from '../../../domain/sandboxes/personal.ts'
import type { RepositoryName } from '../../../providers/code-host/index.ts'
import {
  SandboxFileError,
  SandboxGoneError,
  SnapshotGoneError,
  type Sandbox,
} from '../../../providers/sandbox/index.ts'
import { findHome, skillsFolder } from '../../skills/home.ts'
import { readPlatformSkills } from '../../skills/platform.ts'
import { ensureWorkspace } from '../workspace.ts'
import {
  createSandbox,
  hasGit,
  updateSetupSandbox,
  openSandbox,
  insertSetupSandbox,
  runProgram,
  type Setup,
} from './setup-context.ts'
import { addSubmodule, cloneSource, commitAndPush } from './setup-git.ts'

/** Result of a step. `skipped`: its work was already done. */
export type StepResult = { status: 'done' | 'skipped'; message?: string }

type Source = { repository: RepositoryName; url: string }

const readmeText = '# Workspace\n\nFiles of this workspace. Every folder under `orgs/` belongs to an organization.\n'

const emptyFolders = ['orgs/.gitkeep', 'artists/.gitkeep']

/** The actions of the steps. Each is safe to run again: it first checks for its own result. */
export const setupActions: Record<SetupStep, (setup: Setup) => Promise<StepResult>> = {
  'start-sandbox': startSandbox,
  'install-tools': installTools,
  'source-repository': ensureSourceRepository,
  clone: cloneRepository,
  readme: writeReadme,
  organizations: addOrganizations,
  commit: commitWork,
  snapshot: takeSnapshot,
  'stop-sandbox': stopSandbox,
}

async function startSandbox(setup: Setup): Promise<StepResult> {
  await insertSetupSandbox(setup)
  const record = await findAccountSnapshot(setup.db, setup.accountId)
  const isUsable = (record?.expiresAt?.getTime() ?? 0) > Date.now()
  const snapshotId = isUsable ? (record?.snapshotId ?? undefined) : undefined
  const finishStart = async (sandbox: Sandbox, message: string): Promise<StepResult> => {
    await updateSetupSandbox(setup, 'running', sandbox)
    return createDone(message)
  }
  try {
    const sandbox = await createSandbox(setup, snapshotId)
    return await finishStart(
      sandbox,
      snapshotId === undefined ? 'A new sandbox' : 'A sandbox from the snapshot of the account',
    )
  } catch (error) {
    if (!(error instanceof SnapshotGoneError)) throw error
    return finishStart(await createSandbox(setup), 'A new sandbox, because the snapshot no longer exists')
  }
}

function createDone(message?: string): StepResult {
  return { status: 'done', ...(message !== undefined && { message }) }
}

async function installTools(setup: Setup): Promise<StepResult> {
  const sandbox = await openSandbox(setup)
  const { cancellationSignal: signal } = Context.current()
  const home = await findHome(sandbox, signal)
  const skills = await readPlatformSkills()
  const skillFiles = skills.flatMap(({ name, files }) =>
    files.map(({ path, content }) => ({ path: `${home}/${skillsFolder}/${name}/${path}`, content })),
  )
  await sandbox.writeFiles(skillFiles, { signal })
  return createDone(`Skills: ${skills.map(({ name }) => name).join(', ')}`)
}

async function ensureSourceRepository({ db, codeHost, accountId }: Setup): Promise<StepResult> {
  if (typeof (await findAccountSnapshot(db, accountId))?.githubRepo === 'string')
    return createSkipped('The repository exists')
  const { cloneUrl } = await codeHost.ensureRepository(personalRepositoryName(accountId))
  await recordSourceRepository(db, accountId, cloneUrl)
  return createDone()
}

function createSkipped(message: string): StepResult {
  return { status: 'skipped', message }
}

async function cloneRepository(setup: Setup): Promise<StepResult> {
  const { repository, url } = await readSource(setup)
  await cloneSource(setup, await openSandbox(setup), repository, url)
  return createDone()
}

async function readSource({ db, codeHost, accountId }: Setup): Promise<Source> {
  const url = (await findAccountSnapshot(db, accountId))?.githubRepo ?? null
  const repository = url === null ? undefined : codeHost.parseCloneUrl(url)
  if (url === null || repository === undefined) throw new Error('the account has no source repository on this host')
  return { repository, url }
}

async function writeReadme(setup: Setup): Promise<StepResult> {
  const sandbox = await openSandbox(setup)
  if (await fileExists(sandbox, 'README.md')) return createSkipped('README.md exists')
  await sandbox.writeFiles([{ path: 'README.md', content: readmeText }])
  return createDone()
}

async function fileExists(sandbox: Sandbox, path: string): Promise<boolean> {
  const output = await runProgram(sandbox, 'if [ -e "$SETUP_PATH" ]; then echo yes; else echo no; fi', {
    values: { PATH: path },
  })
  return output === 'yes'
}

async function addOrganizations(setup: Setup): Promise<StepResult> {
  const sandbox = await openSandbox(setup)
  const organizations = await listAccountOrganizations(setup.db, setup.accountId)
  if (organizations.length === 0) return createFolders(sandbox)
  if (!(await hasGit(sandbox))) return createSkipped('Submodules cannot be added without git in the sandbox')
  for (const id of organizations) {
    const { repoOwner, repoName, cloneUrl } = await ensureWorkspace(setup, id)
    const repository = { owner: repoOwner, name: repoName }
    await addSubmodule(setup, sandbox, { path: `orgs/${id}`, url: cloneUrl, repository })
  }
  return createDone(`Organizations: ${organizations.length}`)
}

async function createFolders(sandbox: Sandbox): Promise<StepResult> {
  const missingFolders: string[] = []
  for (const path of emptyFolders) if (!(await fileExists(sandbox, path))) missingFolders.push(path)
  if (missingFolders.length === 0) return createSkipped('The folders exist')
  await sandbox.writeFiles(missingFolders.map((path) => ({ path, content: '' })))
  return createDone('No organizations: empty folders')
}

async function commitWork(setup: Setup): Promise<StepResult> {
  const sandbox = await openSandbox(setup)
  const { repository } = await readSource(setup)
  const commit = (await hasGit(sandbox)) ? commitAndPush : writeThroughCodeHost
  return (await commit(setup, sandbox, repository)) ? createDone() : createSkipped('Nothing to commit')
}

/** Writes the changes of a setup through the code host, for a sandbox without git. */
async function writeThroughCodeHost({ codeHost }: Setup, sandbox: Sandbox, source: RepositoryName): Promise<boolean> {
  let hasWritten = false
  for (const path of ['README.md', ...emptyFolders]) {
    if ((await codeHost.readFile(source, path, { maxBytes: 1024 * 1024 })) !== undefined) continue
    try {
      const content = await sandbox.readFile(path, { maxBytes: 1024 * 1024 })
      await codeHost.writeFile(source, { path, content, message: setupMessage })
      hasWritten = true
    } catch (error) {
      if (!(error instanceof SandboxFileError)) throw error
    }
  }
  return hasWritten
}

async function takeSnapshot(setup: Setup): Promise<StepResult> {
  const { db, accountId, runId, sandboxes, log } = setup
  if ((await findAccountSnapshot(db, accountId))?.takenBy === runId) return createSkipped('The snapshot exists')
  const sandbox = await openSandbox(setup)
  await updateSetupSandbox(setup, 'snapshotting')
  const { snapshotId, sizeBytes } = await sandbox.snapshot()
  const snapshot = { snapshotId, takenBy: runId, lifetimeMs: snapshotLifetimeMs }
  const oldSnapshotId = await db.begin((tx) => replaceSnapshot(tx, accountId, snapshot))
  await updateSetupSandbox(setup, 'running')
  if (oldSnapshotId !== null && oldSnapshotId !== snapshotId)
    await sandboxes.deleteSnapshot(oldSnapshotId).catch((error: unknown) => {
      log.warn({ err: error, accountId }, 'failed to delete an old snapshot')
    })
  return createDone(`${sizeBytes} bytes`)
}

async function stopSandbox(setup: Setup): Promise<StepResult> {
  await updateSetupSandbox(setup, 'stopping')
  try {
    await (await openSandbox(setup)).stop()
    await updateSetupSandbox(setup, 'stopped')
  } catch (error) {
    if (!(error instanceof SandboxGoneError)) throw error
    await updateSetupSandbox(setup, 'failed')
  }
  await removeEarlierSandboxes(setup)
  return createDone()
}

/** Removes the sandboxes of earlier setups, whose content is in the snapshot. */
async function removeEarlierSandboxes({ db, sandboxes, accountId, sandboxName }: Setup): Promise<void> {
  const page = { limit: 100, offset: 0 }
  for (const { id, state } of await listAccountSandboxes(db, accountId, page)) {
    if (id === sandboxName) continue
    await sandboxes.remove(state)
    await deleteAccountSandbox(db, id)
  }
}
