import type { Readable } from 'node:stream'

/** A repository on the code host. */
export type Repository = { owner: string; name: string; cloneUrl: string; defaultBranch: string }

/** Key of a repository. */
export type RepositoryName = Pick<Repository, 'owner' | 'name'>

/** Commit of a branch that the receiver already has. */
export type KnownCommit = { branch: string; commit: string }

/** Regular files of a commit. */
export type RepositoryTree = { commit: string; files: { path: string; content: Uint8Array }[] }

/**
 * One entry of a tree, by its full path. `commit` is a submodule: `sha` is the commit of the other repository.
 * Symbolic links are blobs. `size` is in bytes and set for blobs.
 */
export type TreeEntry = { path: string; type: 'blob' | 'tree' | 'commit'; sha: string; size?: number }

/** A commit in a list. `message` is its first line, `committedAt` an ISO 8601 time with an offset. */
export type ListedCommit = { sha: string; message: string; author: string; committedAt: string }

/** Result of a push. `head` is the branch's commit afterwards. `moved`: not a fast-forward, so nothing was written. */
export type PushResult = { outcome: 'pushed' | 'unchanged' | 'moved'; head: string }

/** File to write. `path` is relative to the root. `branch` defaults to the default branch. */
export type FileWrite = { path: string; content: Uint8Array; message: string; branch?: string }

export type PlainFile = { path: string; content: Uint8Array; isExecutable: boolean }

/** Files of a working tree that started at commit `base` of `branch`. Files and folders in `unread` stay as in `base`. */
export type PlainFiles = { branch: string; base: string; files: PlainFile[]; unread?: string[] }

/** Output of git for the difference between the files and commit `base`. */
export type FilesComparison = { isChanged: boolean; base: string; raw: string; numstat: string; patch: string }

/**
 * Result of `commitFiles`. `head` is the branch's commit afterwards. If the branch had moved, `mergedInto` is its newer
 * commit and `missing` lists the files to update in the working tree; a path without content must be deleted. `conflict`: both
 * sides changed the same lines, and nothing was written.
 */
export type FilesCommit = {
  outcome: 'pushed' | 'conflict'
  head: string
  mergedInto?: string
  missing: { path: string; content?: Uint8Array }[]
}

/**
 * Hosts the repositories of accounts and organizations. Every operation takes the name of a repository on this host and
 * throws if the repository does not exist, unless documented otherwise.
 */
export type CodeHostPort = {
  /** Maximum size of a file in a push. */
  maxFileBytes: number
  /** Prefix of the clone URLs of this host if it contains the address of this installation. Ends in `/git/`. */
  cloneUrlPrefix?: string
  /** Returns the repository of a clone URL of this host; undefined for other URLs. Sends no request. */
  parseCloneUrl(cloneUrl: string): RepositoryName | undefined
  /** URL of the web page of a commit. */
  commitUrl(repository: RepositoryName, commit: string): string
  /** Creates a private repository with an initial commit on `main`. Succeeds if it already exists. */
  ensureRepository(name: string): Promise<Repository>
  /**
   * Streams the repository's branches as a git bundle. Throws if the transfer is interrupted. The bundle can be used without
   * a credential. With `known`, it omits the history up to that commit if the branch contains it.
   */
  bundle(repository: RepositoryName, known?: KnownCommit): AsyncIterable<Uint8Array>
  /** Reads the regular files of the latest commit on the default branch. */
  readTree(repository: RepositoryName): Promise<RepositoryTree>
  /** Returns the latest commit of a branch; undefined if the branch or the repository does not exist. */
  findHead(repository: RepositoryName, branch: string): Promise<string | undefined>
  /** Lists the complete tree of the default branch in path order, cut after `limit` entries. */
  listTree(
    repository: RepositoryName,
    options: { limit: number },
  ): Promise<{ commit: string; entries: TreeEntry[]; truncated: boolean }>
  /** Lists the newest `limit` commits of the default branch; with `path`, only commits that changed this file or folder. */
  listCommits(repository: RepositoryName, options: { path?: string; limit: number }): Promise<ListedCommit[]>
  /**
   * Reads a regular file of the default branch. Undefined if the repository or the path does not exist, or if the path is a
   * folder, a link or a submodule. Throws `CodeHostFileTooLargeError` above `maxBytes`.
   */
  readFile(repository: RepositoryName, path: string, options: { maxBytes: number }): Promise<Uint8Array | undefined>
  /**
   * Creates or replaces one file in one commit. Returns the object id of the file and the commit. Unchanged content creates no
   * commit. Throws `CodeHostRefusedError` for a path that cannot be written: a folder, a path inside a file or a submodule, or
   * a path that contains `..` or `.git`.
   */
  writeFile(repository: RepositoryName, file: FileWrite): Promise<{ sha: string; commit: string }>
  /**
   * Fast-forwards a branch to the commit that a git bundle names as `refs/heads/<branch>`. Creates the branch if it does not
   * exist. The bundle may depend on commits of the host. Throws `CodeHostRefusedError` if the bundle exceeds the size limit of
   * the host or if its objects are damaged, malicious or incomplete. Rethrows errors of the bundle's stream. After an error,
   * nothing is written.
   */
  push(repository: RepositoryName, branch: string, bundle: AsyncIterable<Uint8Array>): Promise<PushResult>
  /**
   * Compares the files of a sandbox without git: `isChanged` compares them with `base`, the diff with `against`, or with
   * `base` if the repository has no commit `against`. The patch is cut at `maxPatchBytes`. Throws `CodeHostRefusedError` if the
   * branch does not contain `base`.
   */
  compareFiles(
    repository: RepositoryName,
    files: PlainFiles & { against: string; maxPatchBytes: number },
  ): Promise<FilesComparison>
  /**
   * Commits the files to the branch, merged with newer commits of the branch. Safe to repeat: if the branch already has these
   * changes, no second commit is created.
   */
  commitFiles(
    repository: RepositoryName,
    commit: PlainFiles & { message: string; author: { name: string; email: string } },
  ): Promise<FilesCommit>
  /** Deletes a repository. Succeeds if it does not exist. */
  deleteRepository(repository: RepositoryName): Promise<void>
  /** Compacts the storage of the host and deletes its garbage. Runs once per fleet. Absent if the host needs no maintenance. */
  maintain?(): Promise<void>
  /** Limits the disk space of the host on this machine. Absent if the host stores nothing here. */
  tidy?(): Promise<void>
}

export type GitService = 'git-upload-pack' | 'git-receive-pack'

type GitRequest = {
  service: GitService
  /** `Git-Protocol` header of the client. */
  protocol: string | undefined
  /** Cancels the request. */
  signal: AbortSignal
}

/**
 * Git's smart HTTP protocol, for a host that the API serves. Each method returns the body of git's response, or undefined if
 * the repository does not exist. The stream of an interrupted response fails. The caller must authorize the request, and must
 * destroy a stream that it does not read to the end.
 */
export type GitHttpPort = {
  /** Returns the ref advertisement, without the line that names the service. */
  advertise(repository: RepositoryName, request: GitRequest): Promise<Readable | undefined>
  /** Serves one fetch or push. Rejects with the error of `body`, or with `CodeHostFullError`. */
  serve(repository: RepositoryName, request: GitRequest & { body: Readable }): Promise<Readable | undefined>
  /** Returns the message and patch of a commit as text, cut at `maxBytes`; undefined for an unknown commit. */
  showCommit(repository: RepositoryName, commit: string, limits: { maxBytes: number }): Promise<Readable | undefined>
}

/** Thrown if the host rejects the input, and would reject it again. The message is for the log, not for clients. */
export class CodeHostRefusedError extends Error {
  override readonly name: string = 'CodeHostRefusedError'
}

/** Thrown if the repository has reached its size limit, or if the disk of the host is full. */
export class CodeHostFullError extends CodeHostRefusedError {
  override readonly name = 'CodeHostFullError'
  readonly where: 'repository' | 'disk'

  constructor(where: CodeHostFullError['where']) {
    super(where === 'repository' ? 'the repository is full' : 'no disk space is left for repositories')
    this.where = where
  }
}

/** Thrown if the storage of the host does not respond. A retry may succeed. The message is for the log. */
export class CodeHostUnavailableError extends Error {
  override readonly name = 'CodeHostUnavailableError'
}

export class CodeHostFileTooLargeError extends Error {
  override readonly name = 'CodeHostFileTooLargeError'
}
