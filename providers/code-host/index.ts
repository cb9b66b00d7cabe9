import type { Readable } from 'node:stream'

/** A repository on the code host. */
export type Repository = { owner: string; name: string; cloneUrl: string; defaultBranch: string }

/** What names a repository. */
export type RepositoryName = Pick<Repository, 'owner' | 'name'>

/** A commit of the branch that the receiver already has. */
export type KnownCommit = { branch: string; commit: string }

/** One commit's regular files. */
export type RepositoryTree = { commit: string; files: { path: string; content: Uint8Array }[] }

/**
 * One entry of a tree, by its full path. `commit` is a submodule: `sha` is the commit of the other repository.
 * Symbolic links are blobs. `size` is in bytes and set for blobs.
 */
export type TreeEntry = { path: string; type: 'blob' | 'tree' | 'commit'; sha: string; size?: number }

/** What a push came to: `head` is the branch's commit afterwards. `moved`: nothing was written, it is no fast-forward. */
export type PushResult = { outcome: 'pushed' | 'unchanged' | 'moved'; head: string }

/** A file to be written: `path` is relative to the root, `branch` is the default branch when absent. */
export type FileWrite = { path: string; content: Uint8Array; message: string; branch?: string }

export type PlainFile = { path: string; content: Uint8Array; isExecutable: boolean }

/** The files of a work tree that began as `base` of `branch`; what is `unread`, a file or folder, stays as in `base`. */
export type PlainFiles = { branch: string; base: string; files: PlainFile[]; unread?: string[] }

/** What git says of the files against `base`, the commit that they were compared with. */
export type FilesComparison = { isChanged: boolean; base: string; raw: string; numstat: string; patch: string }

/**
 * `head` is the branch's commit afterwards. `mergedInto`: the commit that it had meanwhile; `missing` is then what the
 * files lack of it, a path without content being one to remove. `conflict`: both changed the same, nothing was written.
 */
export type FilesCommitted = {
  outcome: 'pushed' | 'conflict'
  head: string
  mergedInto?: string
  missing: { path: string; content?: Uint8Array }[]
}

/**
 * Where workspace repositories live. Every operation takes names of the host's own repositories; one that is absent is
 * an error unless the operation says otherwise.
 */
export type CodeHostPort = {
  /** The largest file that a push may bring. */
  maxFileBytes: number
  /** The repository of a clone address of this host; undefined for other addresses. Makes no request. */
  parseCloneUrl(cloneUrl: string): RepositoryName | undefined
  /** Where people look at a commit. */
  commitUrl(repository: RepositoryName, commit: string): string
  /** Makes the private repository with an initial commit on `main`; one that exists is success. */
  ensureRepository(name: string): Promise<Repository>
  /**
   * The repository's branches as a git bundle, in pieces; reading throws if the transfer breaks off. The bundle can be used
   * without a credential. With `known`, it omits the history up to that commit if the branch contains it.
   */
  bundle(repository: RepositoryName, known?: KnownCommit): AsyncIterable<Uint8Array>
  /** The files of the default branch's latest commit: regular ones only. */
  readTree(repository: RepositoryName): Promise<RepositoryTree>
  /** The branch's latest commit; undefined when there is no such branch or repository. */
  findHead(repository: RepositoryName, branch: string): Promise<string | undefined>
  /** The default branch's whole tree in path order, cut at `limit` entries. */
  listTree(
    repository: RepositoryName,
    options: { limit: number },
  ): Promise<{ commit: string; entries: TreeEntry[]; truncated: boolean }>
  /**
   * A regular file of the default branch. Undefined when the repository or the path is absent, or is a folder, a link or
   * a submodule. Throws `CodeHostFileTooLargeError` above `maxBytes`.
   */
  readFile(repository: RepositoryName, path: string, options: { maxBytes: number }): Promise<Uint8Array | undefined>
  /**
   * Creates or replaces one file by one commit and answers with the file's object id and that commit. The same content
   * again makes no commit. Throws `CodeHostRefusedError` for a path that cannot be written: below a file or a submodule, a
   * folder, `..` or `.git` in it.
   */
  writeFile(repository: RepositoryName, file: FileWrite): Promise<{ sha: string; commit: string }>
  /**
   * Advances a branch to the commit that a git bundle names as `refs/heads/<branch>`, by fast-forward only; a branch that
   * is absent is made. The bundle may need commits that the host has. Throws `CodeHostRefusedError` for a bundle whose objects
   * are damaged, hostile or incomplete, or that is larger than the host takes. What is thrown while the bundle is read is
   * thrown on, and nothing was written.
   */
  push(repository: RepositoryName, branch: string, bundle: AsyncIterable<Uint8Array>): Promise<PushResult>
  /**
   * For files from where there is no git: whether they differ from `base`, and how from `against`, which may be unknown.
   * A text is cut at `patchBytes`. Throws `CodeHostRefusedError` when the branch has no such base.
   */
  compareFiles(
    repository: RepositoryName,
    files: PlainFiles & { against: string; patchBytes: number },
  ): Promise<FilesComparison>
  /**
   * Makes the files the next commit of the branch and merges what it got meanwhile. Safe to repeat: a branch that has
   * these changes gets no second commit.
   */
  commitFiles(
    repository: RepositoryName,
    commit: PlainFiles & { message: string; author: { name: string; email: string } },
  ): Promise<FilesCommitted>
  /** Absent is success. */
  deleteRepository(repository: RepositoryName): Promise<void>
}

export type GitService = 'git-upload-pack' | 'git-receive-pack'

type GitRequest = {
  service: GitService
  /** What the client said of the protocol's version: its `Git-Protocol` header. */
  protocol: string | undefined
  /** Ends the work. */
  signal: AbortSignal
}

/**
 * Git's protocol over HTTP, for a host without an address of its own. Responses are bodies as git sends them, or undefined if
 * the repository does not exist. A response that breaks off is an error of its stream. Destroy a stream that is not read to its
 * end. The caller authorizes the request.
 */
export type GitHttpPort = {
  /** The ref advertisement, without the line that names the service. */
  advertise(repository: RepositoryName, request: GitRequest): Promise<Readable | undefined>
  /** One exchange. Rejects with the error of `body`, and with `CodeHostFullError`. */
  serve(repository: RepositoryName, request: GitRequest & { body: Readable }): Promise<Readable | undefined>
  /** The message and patch of a commit as text, cut at `maxBytes`; undefined for an unknown commit. */
  showCommit(repository: RepositoryName, commit: string, limits: { maxBytes: number }): Promise<Readable | undefined>
}

/** The host will not take this, now or later. Its text is for the log and not for clients. */
export class CodeHostRefusedError extends Error {
  override readonly name: string = 'CodeHostRefusedError'
}

/** There is no space left: in the repository, or on the disk of the host for now. */
export class CodeHostFullError extends CodeHostRefusedError {
  override readonly name = 'CodeHostFullError'
  readonly where: 'repository' | 'disk'

  constructor(where: CodeHostFullError['where']) {
    super(where === 'repository' ? 'the repository is full' : 'no disk space is left for repositories')
    this.where = where
  }
}

export class CodeHostFileTooLargeError extends Error {
  override readonly name = 'CodeHostFileTooLargeError'
}
