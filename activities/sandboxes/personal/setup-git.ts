import { Context } from '@temporalio/activity'
import { canReachWorkspace } from '../../../db/sandboxes/snapshots.ts'
import { setupMessage } from '../../../domain/sandboxes/personal.ts'
import type { RepositoryName } from '../../../providers/code-host/index.ts'
import { listSubmodules, type ResolvedSubmodule } from '../../../providers/code-host/submodules.ts'
import type { Sandbox } from '../../../providers/sandbox/index.ts'
import { resolveAuthor } from '../../repositories/author.ts'
import { commitWorkTree } from '../../repositories/work-tree.ts'
import { hasGit, runProgram, type Setup } from './setup-context.ts'

const branch = 'main'
const maxBundleBytes = 2 * 1024 ** 3

/** Git command that executes nothing from the working tree, which may come from a snapshot. */
const git =
  'git --literal-pathspecs -c core.hooksPath=/dev/null -c core.fsmonitor=false -c commit.gpgSign=false -c protocol.file.allow=always'

/** Merges the state of the source repository and keeps commits that only the snapshot has. */
const cloneProgram = `
set -e
bundle="$HOME/source.bundle"
cat > "$bundle"
[ -d .git ] || ${git} init --quiet --initial-branch=${branch}
${git} fetch --quiet --no-recurse-submodules --end-of-options "$bundle" '+refs/heads/*:refs/remotes/origin/*'
rm "$bundle"
${git} remote set-url --end-of-options origin "$SETUP_URL" 2> /dev/null ||
  ${git} remote add --end-of-options origin "$SETUP_URL"
if ${git} rev-parse --quiet --verify HEAD > /dev/null
then
  # Commits that an earlier setup could not push are rebased onto the source.
  ${git} merge --quiet --ff-only origin/${branch} || ${git} rebase --quiet origin/${branch} || ${git} rebase --abort || true
else ${git} checkout --quiet --force -B ${branch} --track origin/${branch}
fi
`

/** Clones a submodule into its folder, unless the folder already is a repository. */
const submoduleProgram = `
set -e
bundle="$HOME/submodule.bundle"
cat > "$bundle"
if ! [ -e "$SETUP_PATH/.git" ]
then
  rm -rf -- "$SETUP_PATH"
  ${git} clone --quiet --branch ${branch} --end-of-options "$bundle" "$SETUP_PATH"
  ${git} -C "$SETUP_PATH" remote set-url --end-of-options origin "$SETUP_URL"
fi
rm "$bundle"
`

const registerProgram = `
set -e
${git} config -f .gitmodules --end-of-options "submodule.$SETUP_PATH.path" "$SETUP_PATH"
${git} config -f .gitmodules --end-of-options "submodule.$SETUP_PATH.url" "$SETUP_URL"
`

/** Prints the path of the bundle of new commits, or nothing if there are none. */
const bundleProgram = `
set -e
if [ "$(${git} rev-parse HEAD)" != "$(${git} rev-parse origin/${branch})" ]
then
  bundle="$HOME/push.bundle"
  ${git} bundle create --quiet --end-of-options "$bundle" ${branch} --not origin/${branch}
  printf %s "$bundle"
fi
`

const pushedProgram = `rm -f "$SETUP_BUNDLE"; ${git} update-ref --end-of-options refs/remotes/origin/${branch} "$SETUP_HEAD"`

export async function cloneSource(setup: Setup, sandbox: Sandbox, source: RepositoryName, url: string) {
  if (!(await hasGit(sandbox))) {
    const { files } = await setup.codeHost.readTree(source)
    await sandbox.writeFiles(files)
    return
  }
  await runProgram(sandbox, cloneProgram, { values: { URL: url }, stdin: setup.codeHost.bundle(source) })
  const mayReach = (target: RepositoryName) => canReachWorkspace(setup.db, setup.accountId, target)
  for (const submodule of await listSubmodules(setup.codeHost, source, mayReach))
    await cloneSubmodule(setup, sandbox, submodule)
}

/** Adds a repository as a submodule of the working tree. A later step commits it. */
export async function addSubmodule(setup: Setup, sandbox: Sandbox, submodule: ResolvedSubmodule): Promise<void> {
  await cloneSubmodule(setup, sandbox, submodule)
  const values = { PATH: submodule.path, URL: submodule.url }
  await runProgram(sandbox, registerProgram, { values })
}

/** Commits and pushes the working tree. Returns false if nothing has changed. The sandbox gets no credential. */
export async function commitAndPush(setup: Setup, sandbox: Sandbox, source: RepositoryName): Promise<boolean> {
  const author = await resolveAuthor(setup, setup.accountId, setup.platform.baseUrl)
  const signal = Context.current().cancellationSignal
  const { maxFileBytes } = setup.codeHost
  const commit = await commitWorkTree(sandbox, { branch, message: setupMessage, author, maxFileBytes, signal })
  if ('error' in commit) throw new Error(`a commit of the setup failed: ${commit.error}`)
  const path = await runProgram(sandbox, bundleProgram)
  if (path === '') return false
  const bundle = sandbox.streamFile(path, { maxBytes: maxBundleBytes })
  const { outcome, head } = await setup.codeHost.push(source, branch, bundle)
  if (outcome === 'moved') throw new Error('the source repository has commits that the sandbox does not have')
  await runProgram(sandbox, pushedProgram, { values: { BUNDLE: path, HEAD: head } })
  return true
}

async function cloneSubmodule(
  { codeHost }: Setup,
  sandbox: Sandbox,
  { path, url, repository }: ResolvedSubmodule,
): Promise<void> {
  await runProgram(sandbox, submoduleProgram, {
    values: { PATH: path, URL: url },
    stdin: codeHost.bundle(repository),
  })
}
