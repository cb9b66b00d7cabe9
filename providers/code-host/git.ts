import { execFile } from 'node:child_process'
import { ownerOf } from './git-user.ts'
import type { Owner } from './git-user.ts'

/** Nothing of the host's or a user's git configuration applies, and no prompt waits for an answer. */
export const gitEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_AUTHOR_NAME: 'Workspace',
  GIT_AUTHOR_EMAIL: 'workspace@localhost',
  GIT_COMMITTER_NAME: 'Workspace',
  GIT_COMMITTER_EMAIL: 'workspace@localhost',
}

/** No hook runs, what comes in is checked, and nothing is compacted in the background. */
export const gitSettings = [
  'core.hooksPath=/dev/null',
  'safe.directory=*',
  'transfer.fsckObjects=true',
  'fetch.fsckObjects=true',
  'receive.fsckObjects=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'receive.autogc=false',
].flatMap((setting) => ['-c', setting])

const mostBytes = 1024 ** 3

export type GitOptions = { stdin?: string | Uint8Array; env?: Record<string, string>; timeoutMs?: number }

export class GitError extends Error {
  override readonly name = 'GitError'
}

/** One git command on a bare repository, as its owner. Throws `GitError` with what git said. */
export const git = async (directory: string, args: string[], options: GitOptions = {}): Promise<Buffer> =>
  runGit(directory, args, { ...options, ...(await ownerOf(directory)) })

const runGit = (directory: string, args: string[], options: GitOptions & Partial<Owner>): Promise<Buffer> =>
  new Promise((done, fail) => {
    const child = execFile(
      'git',
      ['--git-dir', directory, ...gitSettings, ...args],
      {
        cwd: '/',
        uid: options.uid,
        gid: options.gid,
        env: { ...gitEnvironment, ...options.env },
        encoding: 'buffer',
        maxBuffer: mostBytes,
        timeout: options.timeoutMs ?? 120_000,
        killSignal: 'SIGTERM',
      },
      (error, stdout, stderr) => {
        if (error === null) done(stdout)
        else fail(new GitError(`git ${args[0] ?? ''} failed: ${stderr.toString().slice(0, 2000)}`, { cause: error }))
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.stdin ?? '')
  })

/** The same, for a command that answers in one line. */
export const gitLine = async (directory: string, args: string[], options?: GitOptions): Promise<string> =>
  (await git(directory, args, options)).toString().trim()

/** The command's one line, or undefined when git refused. */
export const findGitLine = async (directory: string, args: string[]): Promise<string | undefined> => {
  try {
    return await gitLine(directory, args)
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}
