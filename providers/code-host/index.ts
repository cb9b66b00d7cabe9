/** A repository on the code host. */
export type Repository = { owner: string; name: string; cloneUrl: string; defaultBranch: string }

/** One commit's regular files. */
export type RepositoryTree = { commit: string; files: { path: string; content: Uint8Array }[] }

/** Where workspace repositories live. */
export type CodeHostPort = {
  /** Makes the private repository with an initial commit on `main`; one that exists is success. */
  ensureRepository(name: string): Promise<Repository>
  /** The repository's branches as a git bundle. Reads the host only; no credential is needed to use it. */
  bundle(repository: Pick<Repository, 'owner' | 'name'>): Promise<Uint8Array>
  /** The files of the default branch's latest commit: regular ones only. */
  readTree(repository: Pick<Repository, 'owner' | 'name'>): Promise<RepositoryTree>
  /** Absent is success. */
  deleteRepository(repository: Pick<Repository, 'owner' | 'name'>): Promise<void>
}
