import { gunzipSync } from 'node:zlib'
import { maxPromptDiff } from '../../domain/repositories/commits.ts'
import { buildDiff, generatedFiles, maxPatchBytes, type Diff } from '../../domain/repositories/diff.ts'
import type { LeftOut } from '../../domain/repositories/left-out.ts'
import { isRefName } from '../../domain/repositories/ref-names.ts'
import { SandboxError, type Sandbox } from '../../providers/sandbox/index.ts'
import { noGit, noRepository, quote, runGit, unfinished, type Author, type GitResult, type GitRun } from './script.ts'
import { parseLeftOut, stagingScript } from './staging.ts'

type Cancellable = { signal: AbortSignal }
type StagingOptions = Cancellable & Pick<GitRun, 'maxFileBytes'>

const stepTimeoutMs = 10_000
const bundleTimeoutMs = 4 * 60_000
const stagingFailed = 65

const statusScript = `${stagingScript}
for left in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
  [ ! -e "$real/$left" ] || exit ${unfinished}
done
branch=$(git symbolic-ref --quiet HEAD) || exit ${unfinished}
branch=\${branch#refs/heads/}
head=$(git rev-parse --quiet --verify 'HEAD^{commit}')
changed=yes unpushed=yes
if stage && [ "$tree" = "$(tree_of HEAD)" ]; then changed=no; fi
if git merge-base --is-ancestor --end-of-options HEAD "refs/remotes/origin/$branch"; then unpushed=no; fi
printf '%s\\n' "$branch" "$head" "$changed" "$unpushed" "$(left_out)" >&3
[ $changed = no ] || git diff --cached --no-ext-diff --no-textconv --no-color -M | head -c ${maxPromptDiff * 4} >&3
exit 0
`

export type WorkTree =
  | { state: 'no git' }
  | { state: 'no repository' }
  | { state: 'unfinished' }
  | {
      state: 'clean' | 'changed' | 'unpushed'
      branch: string
      head: string | null
      /** The first `maxPromptDiff` characters of the staged diff. */
      stagedDiff: string
      leftOut: LeftOut
    }

/** Returns what to commit and push. Throws `SandboxError` if the script fails. */
export async function inspectWorkTree(sandbox: Sandbox, options: StagingOptions): Promise<WorkTree> {
  const run = { ...options, timeoutMs: 3 * stepTimeoutMs, maxOutputBytes: 300_000 }
  const result = await runGit(sandbox, statusScript, run)
  if (result.exitCode === noGit) return { state: 'no git' }
  if (result.exitCode === noRepository) return { state: 'no repository' }
  if (result.exitCode === unfinished) return { state: 'unfinished' }
  const [branch = '', head = '', changed, unpushed, leftOut = '', ...diff] = result.output.split('\n')
  if (result.exitCode !== 0 || branch === '') throw toSandboxError('the status', result)
  // Git does not parse this name as a branch, so the branch cannot be pushed.
  if (!isRefName(branch)) return { state: 'unfinished' }
  const state = changed === 'yes' ? 'changed' : unpushed === 'yes' ? 'unpushed' : 'clean'
  const stagedDiff = diff.join('\n').slice(0, maxPromptDiff)
  return { state, branch, head: head || null, stagedDiff, leftOut: parseLeftOut(leftOut) }
}

// Replaces the index last. Until then the real index describes the previous commit, which is harmless.
const commitScript = `${stagingScript}
head=$(git rev-parse --quiet --verify 'HEAD^{commit}')
stage || exit ${stagingFailed}
if [ "$tree" = "$(tree_of HEAD)" ]; then commit=$head
else
  commit=$(git commit-tree \${head:+-p "$head"} -F - --end-of-options "$tree") || exit 1
  git update-ref -m commit --end-of-options "refs/heads/$1" "$commit" "\${head:-0000000000000000000000000000000000000000}" || exit 1
fi
install_index || exit 1
printf '%s\\n' "$commit" "$(left_out)" >&3
`

export type WorkTreeCommit = { commit: string; leftOut: LeftOut } | { error: 'Staging failed' | 'Commit failed' }

/** Commits all files that can be committed. For a clean working tree, makes no commit and returns the current commit. */
export async function commitWorkTree(
  sandbox: Sandbox,
  { branch, message, ...options }: StagingOptions & { branch: string; message: string; author: Author },
): Promise<WorkTreeCommit> {
  const stdin = Buffer.from(`${message}\n`)
  const run = { ...options, args: [branch], stdin, timeoutMs: 2 * stepTimeoutMs, maxOutputBytes: 200_000 }
  const { exitCode, output } = await runGit(sandbox, commitScript, run)
  const [commit = '', leftOut = ''] = output.split('\n')
  if (exitCode === 0 && commit !== '') return { commit, leftOut: parseLeftOut(leftOut) }
  return { error: exitCode === stagingFailed ? 'Staging failed' : 'Commit failed' }
}

const bundleScript = `
tip=$(git rev-parse --quiet --verify --end-of-options "refs/heads/$1^{commit}") || exit 1
known() { [ "$1" != - ] && git cat-file -e --end-of-options "$1^{commit}"; }
follows() { git merge-base --is-ancestor --end-of-options "$1" "$2"; }
without=
moved() {
  printf 'moved\\n%s\\n' "$(git rev-parse --quiet --verify --end-of-options "refs/remotes/origin/$branch^{commit}")" >&3
  exit 0
}
branch=$1
if [ "$2" != - ]; then
  known "$2" || moved
  if follows "$tip" "$2"; then
    git update-ref --end-of-options "refs/remotes/origin/$1" "$2"
    printf 'same\\n%s\\n' "$tip" >&3
    exit 0
  fi
  follows "$2" "$tip" || moved
  without=^$2
elif known "$3" && ! follows "$tip" "$3"; then without=^$3
fi
bundle=$HOME/.outgoing.bundle
rm -rf "$bundle" "$bundle.lock"
git bundle create --quiet --end-of-options "$bundle" "refs/heads/$1" $without || exit 1
printf 'bundle\\n%s\\n' "$bundle" >&3
`

/** Commits to push. `path` is a file in the sandbox; `known` is the newest commit of the remote that the sandbox has. */
export type OutgoingCommits =
  | { kind: 'moved'; known: string | undefined }
  | { kind: 'same'; tip: string }
  | { kind: 'bundle'; path: string }

/**
 * Bundles the commits of a branch that the remote lacks. `same`: the remote has all of them. `moved`: the remote has commits
 * that are not in the branch.
 */
export async function bundleBranch(
  sandbox: Sandbox,
  branch: string,
  { head, defaultHead, signal }: Cancellable & { head: string | undefined; defaultHead: string | undefined },
): Promise<OutgoingCommits> {
  const args = [branch, head ?? '-', defaultHead ?? '-']
  const result = await runGit(sandbox, bundleScript, {
    args,
    timeoutMs: bundleTimeoutMs,
    maxOutputBytes: 10_000,
    signal,
  })
  if (result.exitCode !== 0) throw toSandboxError('the bundle', result)
  const [kind, rest = ''] = result.output.split('\n')
  if (kind === 'moved') return { kind, known: /^[0-9a-f]{40,64}$/.test(rest) ? rest : undefined }
  return kind === 'same' ? { kind, tip: rest } : { kind: 'bundle', path: rest }
}

/** Deletes a bundle in the sandbox. Does nothing if the file is missing. */
export async function removeBundle(sandbox: Sandbox, path: string): Promise<void> {
  await sandbox.exec(`rm -f -- ${quote(path)}`, { timeoutMs: stepTimeoutMs, maxOutputBytes: 10_000 })
}

// Rebases in a separate working tree, so that an interruption or conflict never affects the real one. The real working tree is
// updated before the branch, so that an interruption between the updates leaves changes to commit and never reverts commits of
// the remote.
const rebaseScript = `
git bundle unbundle /dev/stdin || exit 1
tip=$(git rev-parse --quiet --verify --end-of-options "refs/heads/$1^{commit}") || exit 1
git cat-file -e --end-of-options "$2^{commit}" || exit 1
tree=$(mktemp -d "$HOME/.rebase.XXXXXX") || exit 1
trap 'rm -rf "$shadow" "$tree"' EXIT
result=$(
  printf '%s\\n' "$tip" > "$shadow/HEAD"
  export GIT_WORK_TREE=$tree GIT_INDEX_FILE=$shadow/rebase-index
  cd "$tree" && git reset --quiet --hard "$tip" -- && git rebase --quiet --end-of-options "$2" > /dev/null && git rev-parse HEAD
) || { echo conflict >&3; exit 0; }
git update-index -q --refresh
git read-tree -m -u --end-of-options "$tip" "$result" || { echo conflict >&3; exit 0; }
git update-ref -m rebase --end-of-options "refs/heads/$1" "$result" "$tip" || { echo conflict >&3; exit 0; }
install_index
printf '%s\\n' "$result" >&3
`

/** Rebases the local commits of a branch onto the remote branch. Returns undefined, without any change, on a conflict. */
export async function rebaseBranch(
  sandbox: Sandbox,
  branch: string,
  { head, remote, author, signal }: Cancellable & { head: string; remote: AsyncIterable<Uint8Array>; author: Author },
): Promise<string | undefined> {
  const run = {
    args: [branch, head],
    stdin: remote,
    author,
    timeoutMs: bundleTimeoutMs,
    maxOutputBytes: 10_000,
    signal,
  }
  const result = await runGit(sandbox, rebaseScript, run)
  if (result.exitCode !== 0) throw toSandboxError('the rebase', result)
  return result.output.trim() === 'conflict' ? undefined : result.output.trim()
}

const exclusions = generatedFiles.map((pattern) => `':(exclude,glob)**/${pattern}'`).join(' ')

// Limits the size of files that are compared line by line, so that one huge file does not fill the diff.
const diffScript = `${stagingScript}
branch=$(git symbolic-ref --quiet HEAD)
branch=\${branch#refs/heads/}
head=$(git rev-parse --quiet --verify 'HEAD^{commit}')
[ "$2" = - ] || git update-ref --end-of-options "refs/remotes/origin/$branch" "$2"
base=$1
git cat-file -e --end-of-options "$base^{commit}" || base=$(git merge-base HEAD refs/remotes/origin/main) || base=$head
[ -n "$base" ] || base=$(git hash-object -t tree /dev/null)
out=$shadow/out
mkdir "$out"
git status --porcelain=v1 -z --no-renames --untracked-files=all > "$out/status" || exit 1
stage || exit 1
compare="diff --cached -M --no-ext-diff --no-textconv --no-color"
patch() {
  git -c core.bigFileThreshold=1m $compare -p --src-prefix=a/ --dst-prefix=b/ --end-of-options "$1" -- . ${exclusions} |
    head -c ${maxPatchBytes}
}
git $compare --raw --no-abbrev -z --end-of-options "$base" > "$out/raw" || exit 1
git $compare --numstat -z --end-of-options "$base" > "$out/numstat" || exit 1
patch "$base" > "$out/patch"
if [ -n "$head" ] && [ "$tree" != "$(tree_of HEAD)" ]; then patch HEAD > "$out/local"; else : > "$out/local"; fi
printf '%s\\n' "$branch" "$head" "$base" >&3
for part in status raw numstat patch local; do wc -c < "$out/$part" >&3; done
cat "$out/status" "$out/raw" "$out/numstat" "$out/patch" "$out/local" | gzip -1 | base64 -w 0 >&3
`

const maxDiffBytes = 64 * 1024 * 1024

export type TreeDiff = {
  /** Null when no branch is checked out. */
  branch: string | null
  head: string | null
  isClean: boolean
  diff: Diff
}

/**
 * Compares the working tree with the commit `base` or, if the sandbox does not have it, with the merge base of HEAD and the
 * default branch.
 * If `pushed` is a commit, records it in the sandbox as the head of the remote branch. Returns undefined if there is no
 * repository.
 */
export async function diffWorkTree(
  sandbox: Sandbox,
  { base, pushed, ...options }: StagingOptions & { base: string | undefined; pushed?: string | undefined },
): Promise<TreeDiff | 'no git' | undefined> {
  const run = { ...options, args: [base ?? '-', pushed ?? '-'], timeoutMs: stepTimeoutMs, maxOutputBytes: maxDiffBytes }
  const result = await runGit(sandbox, diffScript, run)
  if (result.exitCode === noGit) return 'no git'
  if (result.exitCode === noRepository) return undefined
  const [branch = '', head = '', against = '', ...rest] = result.output.split('\n')
  if (result.exitCode !== 0 || rest.length !== 6) throw toSandboxError('the diff', result)
  const packed = gunzipSync(Buffer.from(rest.pop() ?? '', 'base64'), { maxOutputLength: maxDiffBytes })
  let offset = 0
  const [status = '', raw = '', numstat = '', patch = '', local = ''] = rest.map((size) => {
    offset += Number(size)
    return packed.subarray(offset - Number(size), offset).toString()
  })
  return {
    branch: isRefName(branch) ? branch : null,
    head: head || null,
    isClean: status === '',
    diff: buildDiff({ base: against, raw, numstat, patch, local, status }),
  }
}

function toSandboxError(name: string, { exitCode, output }: GitResult): SandboxError {
  return new SandboxError(`${name} ended with ${exitCode}: ${output.slice(0, 200)}`)
}
