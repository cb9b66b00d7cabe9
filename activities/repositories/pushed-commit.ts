import type { PushedCommit } from '../../db/turns/commit.ts'
import type { RepositoryName } from '../../providers/code-host/index.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import type { LogDeps } from '../deps.ts'
import type { SessionHost } from './access.ts'
import { runGit } from './script.ts'

const timeoutMs = 4 * 60_000
const totalTimeoutMs = 5 * 60_000

const findTipScript = `
[ "$(git symbolic-ref --quiet HEAD)" = "refs/heads/$1" ] || exit 0
git merge-base --is-ancestor --end-of-options "$2" HEAD && exit 0
git rev-parse --quiet --verify 'HEAD^{commit}' >&3
`

const resetScript = `
git bundle unbundle /dev/stdin || exit 1
git cat-file -e --end-of-options "$2^{commit}" || exit 0
git reset --quiet --hard "$2" -- && git update-ref --end-of-options "refs/remotes/origin/$1" "$2" && install_index
`

/**
 * Resets the branch and the working tree of a sandbox to a commit that was pushed after the checkpoint from which the sandbox
 * was restored. The commit contains the changes of the restored working tree. Without the reset, these changes would be
 * committed again and might conflict with the commit. Does nothing if the checked-out branch is another one or contains the
 * commit, or if the repository is damaged. Logs a failed reset. Throws if the code host fails.
 */
export async function resetToPushedCommit(
  { log }: LogDeps,
  sandbox: Sandbox,
  codeHost: Pick<SessionHost, 'bundle'>,
  { repository, branch, commit }: PushedCommit & { repository: RepositoryName },
): Promise<void> {
  const signal = AbortSignal.timeout(totalTimeoutMs)
  const run = { args: [branch, commit], timeoutMs, maxOutputBytes: 10_000, signal }
  const tip = (await runGit(sandbox, findTipScript, run)).output.trim()
  if (!/^[0-9a-f]{40,64}$/.test(tip)) return
  const stdin = codeHost.bundle(repository, { branch, commit: tip })
  const { exitCode, output } = await runGit(sandbox, resetScript, { ...run, stdin })
  if (exitCode !== 0)
    log.warn({ sandboxName: sandbox.state.sandboxName, output }, 'failed to reset a sandbox to its pushed commit')
}
