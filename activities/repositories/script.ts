import type { Sandbox } from '../../providers/sandbox/index.ts'

/** Maximum size of one push; a code host may allow less. */
export const maxPushBytes = 2 * 1024 ** 3

/** Exit code: the sandbox has no git. */
export const noGit = 59
/** Exit code: the working directory is not a repository. */
export const noRepository = 60
/** Exit code: a merge or rebase is in progress, so the working tree is incomplete. */
export const unfinished = 61

/**
 * Agents can write the repository's configuration, so git runs in a temporary shadow repository. Its objects and
 * branches are links to those of the real repository; its configuration and index are separate. Hooks, filters,
 * monitors, drivers, helpers, aliases and includes of the real repository are never read. Output goes to descriptor 3.
 * The copied index keeps its modification time, because git rehashes only files that are at least as new as the index.
 */
const prelude = `
command -v git > /dev/null 2>&1 || exit ${noGit}
exec 3>&1 > /dev/null 2>&1
work=$PWD real=$PWD/.git
[ -d "$real" ] && [ ! -L "$real" ] && [ -f "$real/HEAD" ] && [ ! -L "$real/HEAD" ] || exit ${noRepository}
unset \${!GIT_CONFIG*} GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE
unset GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_PROXY_COMMAND GIT_TEMPLATE_DIR GIT_EXEC_PATH
link_repository() {
  mkdir -p "$2/info" && cp "$1/HEAD" "$2/HEAD" || return 1
  local part
  for part in objects refs logs packed-refs shallow info/exclude; do
    [ ! -e "$1/$part" ] || ln -s "$1/$part" "$2/$part" || return 1
  done
  cat > "$2/config" << 'CONFIG'
[core]
  repositoryformatversion = 0
  bare = false
  hooksPath = /dev/null
  attributesFile = /dev/null
  excludesFile = /dev/null
  fsmonitor = false
  untrackedCache = false
  quotePath = false
  bigFileThreshold = 8m
[advice]
  addEmbeddedRepo = false
[commit]
  gpgSign = false
[credential]
  helper =
[diff]
  ignoreSubmodules = dirty
[gc]
  auto = 0
[maintenance]
  auto = false
[protocol]
  allow = never
[rebase]
  autoStash = false
  autoSquash = false
[submodule]
  recurse = false
[user]
  useConfigOnly = true
CONFIG
}
shadow=$(mktemp -d) || exit 1
trap 'rm -rf "$shadow"' EXIT
link_repository "$real" "$shadow" || exit 1
export GIT_DIR=$shadow GIT_WORK_TREE=$work GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1
export GIT_TERMINAL_PROMPT=0 GIT_EDITOR=true GIT_SEQUENCE_EDITOR=true GIT_PAGER=cat GIT_NO_REPLACE_OBJECTS=1
[ ! -f "$real/index" ] || cp -p "$real/index" "$shadow/index" || exit 1
git ls-files --error-unmatch . || { rm -f "$shadow/index"; git read-tree HEAD; }
tree_of() { git rev-parse --quiet --verify --end-of-options "$1^{tree}" || git hash-object -t tree /dev/null; }
install_index() { cp -p "$shadow/index" "$real/.index-$$" && mv -f "$real/.index-$$" "$real/index"; }
`

/** Quotes a value as one word of a shell command. */
export function quote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}

export type Author = { name: string; email: string }

export type GitRun = {
  args?: string[]
  /** Maximum size of a file to stage. Larger files are left out. */
  maxFileBytes?: number
  stdin?: Uint8Array | AsyncIterable<Uint8Array>
  author?: Author
  timeoutMs: number
  maxOutputBytes: number
  signal: AbortSignal
}

/** Result of a script. `exitCode` is null if the time limit or the output limit ended the script. */
export type GitResult = { exitCode: number | null; output: string }

/** Runs a fixed script with git inside the sandbox. Arguments are never parsed as shell code. */
export async function runGit(sandbox: Sandbox, script: string, run: GitRun): Promise<GitResult> {
  const { args = [], author, stdin, timeoutMs, maxOutputBytes, signal, maxFileBytes = maxPushBytes } = run
  const command = `set -- ${args.map(quote).join(' ')}\nmax_file_bytes=${maxFileBytes}\n${prelude}${script}`
  const { exitCode, output } = await sandbox.exec(command, {
    ...(stdin !== undefined && { stdin }),
    ...(author !== undefined && { env: authorVariables(author) }),
    timeoutMs,
    maxOutputBytes,
    signal,
  })
  return { exitCode, output }
}

function authorVariables({ name, email }: Author): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}
