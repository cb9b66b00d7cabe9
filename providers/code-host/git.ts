import { execFile, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { findFileOwner, type Owner } from './local/git-user.ts'

/** Environment in which git reads no system or user configuration and never prompts. */
export const gitEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  // Git must not interpret paths as patterns.
  GIT_LITERAL_PATHSPECS: '1',
  GIT_AUTHOR_NAME: 'Workspace',
  GIT_AUTHOR_EMAIL: 'workspace@localhost',
  GIT_COMMITTER_NAME: 'Workspace',
  GIT_COMMITTER_EMAIL: 'workspace@localhost',
}

/**
 * Settings of every git command: no hooks, checks of received objects, no background maintenance, and limits that keep large
 * files and packs out of memory.
 */
export const gitSettings = [
  'core.hooksPath=/dev/null',
  'safe.directory=*',
  'transfer.fsckObjects=true',
  'fetch.fsckObjects=true',
  'receive.fsckObjects=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'receive.autogc=false',
  'core.bigFileThreshold=8m',
  'core.packedGitWindowSize=1m',
  'core.packedGitLimit=32m',
  'core.deltaBaseCacheLimit=16m',
  'pack.windowMemory=16m',
  'pack.deltaCacheSize=16m',
  'pack.threads=2',
].flatMap((setting) => ['-c', setting])

const maxOutputBytes = 1024 ** 3

/**
 * Type of an argument that the code fixes. Its first character must be a literal, so that no external value can become an
 * option. Values from outside are passed in `external`.
 */
type FixedArgument<Word> = Word extends `${infer First}${string}` ? (string extends First ? never : Word) : never
type FixedArguments<Words extends readonly string[]> = { readonly [Index in keyof Words]: FixedArgument<Words[Index]> }

export type GitOptions = {
  /** External values: revisions, refs, URLs and paths. Git does not interpret them as options. */
  external?: readonly string[]
  stdin?: string | Uint8Array
  env?: Record<string, string>
  timeoutMs?: number
}

export class GitError extends Error {
  override readonly name = 'GitError'
}

/** Returns the arguments of a git command: the fixed arguments, then `--end-of-options` and the external arguments. */
export function buildGitArguments(fixed: readonly string[], external: readonly string[]): string[] {
  return external.length === 0 ? [...fixed] : [...fixed, '--end-of-options', ...external]
}

/** Runs a git command on a bare repository as the owner of its files. Throws `GitError` with git's error output. */
export async function git<const Words extends readonly string[]>(
  directory: string,
  fixed: Words & FixedArguments<Words>,
  { external = [], ...options }: GitOptions = {},
): Promise<Buffer> {
  return runGit(directory, buildGitArguments(fixed, external), { ...options, ...(await findFileOwner(directory)) })
}

const streamTimeoutMs = 10 * 60_000

/** Streams the output of a git command. Throws `GitError` if the command fails, possibly after the last chunk. */
export async function* gitStream<const Words extends readonly string[]>(
  directory: string,
  fixed: Words & FixedArguments<Words>,
  { external = [] }: Pick<GitOptions, 'external'> = {},
): AsyncGenerator<Uint8Array> {
  const child = spawn('git', ['--git-dir', directory, ...gitSettings, ...buildGitArguments(fixed, external)], {
    ...(await findFileOwner(directory)),
    cwd: '/',
    env: gitEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: streamTimeoutMs,
    killSignal: 'SIGTERM',
  })
  const errorOutput = text(child.stderr)
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  exitCode.catch(() => {})
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    if ((await exitCode) !== 0)
      throw new GitError(`git ${fixed[0] ?? ''} failed: ${(await errorOutput).slice(0, 2000)}`)
  } finally {
    child.kill('SIGTERM')
  }
}

/** Runs a git command and returns its output without surrounding whitespace. */
export async function gitLine<const Words extends readonly string[]>(
  directory: string,
  fixed: Words & FixedArguments<Words>,
  options?: GitOptions,
): Promise<string> {
  return (await git(directory, fixed, options)).toString().trim()
}

/** Like `gitLine`, but returns undefined if the command fails. */
export async function findGitLine<const Words extends readonly string[]>(
  directory: string,
  fixed: Words & FixedArguments<Words>,
  options?: GitOptions,
): Promise<string | undefined> {
  try {
    return await gitLine(directory, fixed, options)
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

function runGit(
  directory: string,
  words: readonly string[],
  options: Omit<GitOptions, 'external'> & Partial<Owner>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['--git-dir', directory, ...gitSettings, ...words],
      {
        cwd: '/',
        uid: options.uid,
        gid: options.gid,
        env: { ...gitEnvironment, ...options.env },
        encoding: 'buffer',
        maxBuffer: maxOutputBytes,
        timeout: options.timeoutMs ?? 120_000,
        killSignal: 'SIGTERM',
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new GitError(`git ${words[0] ?? ''} failed: ${stderr.toString().slice(0, 2000)}`, { cause: error }))
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.stdin ?? '')
  })
}
