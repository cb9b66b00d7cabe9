import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobObjects } from '../../blob/index.ts'
import { openDiskSpace, type DiskSpace } from '../../disk-space.ts'
import { packFiles, unpackFiles } from './archive.ts'
import { restoreCheckpoint, takeCheckpoint } from './checkpoint.ts'
import { homeDirectory, workingDirectory, type Limits } from './args.ts'
import { startDetached } from './detached.ts'
import { fileTimeoutMs, readFile, streamFile, writeFiles } from './files.ts'
import { createLauncher, defaultLimits } from './launcher.ts'
import { scriptProgram, shellProgram, type Program } from './program.ts'
import { prepare, run, type Host, type RunOptions } from './run.ts'
import { createMemoryGroups } from './cgroup.ts'
import { isOverDisk } from '../local/disk.ts'
import { createEtc } from './etc.ts'
import { dropReceipt, findReceipt, removeFolder, writeReceipt, type Folder } from '../local/folder.ts'
import { endOrphans, isRoot, releaseUid } from '../local/host.ts'
import {
  SandboxError,
  type CreateSandbox,
  type ExecOptions,
  type ExecResult,
  type LocalSandboxes,
  type Sandbox,
} from '../index.ts'
import {
  createFolderDriver,
  endProcesses,
  extendFolder,
  gitEnvironment,
  snapshotFolder,
  toState,
  stopFolder,
} from '../local/driver.ts'
import { createKeeper } from '../network/keeper.ts'
import { createNetworks, networkParent, type NetworkOptions } from '../network/open.ts'
import { globWith } from '../search.ts'
import { decodeTo } from '../text.ts'
import { createSnapshotStore } from '../local/snapshot-store.ts'
import { findSystemCalls, type SystemCalls } from '../system-calls/support.ts'

const cloneScript = `
cat > "$HOME/repository.bundle" &&
git clone --quiet --branch "$1" --end-of-options "$HOME/repository.bundle" ${workingDirectory} &&
rm "$HOME/repository.bundle" &&
git remote set-url --end-of-options origin "$2" &&
git rev-parse HEAD
`

const updateScript = `
cat > "$HOME/repository.bundle" && cd ${workingDirectory} &&
git fetch --quiet --end-of-options "$HOME/repository.bundle" '+refs/heads/*:refs/remotes/origin/*' &&
rm "$HOME/repository.bundle" &&
git checkout --quiet --force -B "$1" "refs/remotes/origin/$1" &&
{ git for-each-ref --format='%(refname:short)' refs/heads | grep --invert-match --line-regexp --fixed-strings -e "$1" |
  xargs --no-run-if-empty git branch --quiet -D --end-of-options; } &&
git remote set-url --end-of-options origin "$2" &&
git rev-parse HEAD
`

type Content = NonNullable<CreateSandbox['repository']>

/** Creates the driver for sandboxes in Linux namespaces, each with its own user, processes, files, network and limits. */
export async function createBubblewrapSandboxes(options: {
  root: string
  limits?: Partial<Limits>
  network?: NetworkOptions | undefined
  disk?: DiskSpace | undefined
  snapshotObjects?: BlobObjects | undefined
}): Promise<LocalSandboxes> {
  // The umask of this process applies to `mkdir`, so `chmod` sets the mode.
  if ((await mkdir(options.root, { recursive: true, mode: 0o711 })) !== undefined) await chmod(options.root, 0o711)
  const disk = options.disk ?? (await openDiskSpace({ folder: options.root }))
  const limits: Limits = { ...defaultLimits, reserveBytes: disk.reserveBytes, ...options.limits }
  for (const name of await readdir(options.root)) await endOrphans(join(options.root, name, 'processes'))
  const [memory, systemCalls, etc] = await Promise.all([
    createMemoryGroups(options.root, limits.memoryBytes),
    findSystemCalls(),
    createEtc(options.root),
  ])
  const networks = createNetworks(options.network)
  const host: Host = {
    root: options.root,
    limits,
    disk,
    memory,
    launch: createLauncher({ root: options.root, limits, memory, filter: systemCalls.filter, etc }),
    networks,
    keeper: createKeeper(networks),
    leave: async ({ meta }) => memory?.leave(meta.name),
  }
  const snapshots = createSnapshotStore(options.root, {
    format: 'bubblewrap',
    maxBytes: limits.snapshotBytes,
    disk,
    objects: options.snapshotObjects,
  })
  // Only the object store survives the loss of this machine.
  const packs =
    options.snapshotObjects &&
    createSnapshotStore(options.root, {
      format: 'bubblewrap-checkpoint',
      maxBytes: limits.snapshotBytes,
      disk,
      objects: options.snapshotObjects,
    })
  const createRunner =
    (folder: Folder) =>
    (program: Program, runOptions: RunOptions): ReturnType<typeof run> =>
      run(host, folder, program, runOptions)
  const sandboxAt = (folder: Folder): Sandbox => ({
    state: toState(folder.meta),
    workingDirectory,
    exec: (command, execOptions) => exec(host, folder, command, execOptions),
    execDetached: (command, execOptions) => execDetached(host, folder, command, execOptions),
    findReceipt: (receipt) => findReceipt(folder, receipt),
    dropReceipt: (receipt) => dropReceipt(folder, receipt),
    readFile: (path, readOptions) => readFile(host, folder, path, readOptions),
    streamFile: (path, readOptions) => streamFile(host, folder, path, readOptions),
    writeFiles: (files, writeOptions) => writeFiles(host, folder, files, writeOptions?.signal),
    glob: (options) => globWith({ exec: (command, limited) => exec(host, folder, command, limited) }, options),
    snapshot: () => snapshotFolder(host.root, folder, snapshots, (sink) => packFiles(createRunner(folder), sink)),
    ...(packs && { checkpoint: (options) => takeCheckpoint(createRunner(folder), folder, packs, options) }),
    extend: (expiresAt) => extendFolder(host.root, folder, expiresAt),
    stop: () => stop(host, folder),
    destroy: () => destroy(host, folder),
  })
  const isolation = describeIsolation({ systemCalls, hasGroups: memory !== undefined })
  return createFolderDriver({
    root: host.root,
    workingDirectory,
    isolation,
    sandboxAt,
    fill: async (folder, content) =>
      runCheckout(host, folder, { script: cloneScript, bundle: content.bundle() }, content),
    update: async (folder, content, commit) => {
      const bundle = content.bundle({ branch: content.branch, commit })
      return runCheckout(host, folder, { script: updateScript, bundle }, content)
    },
    snapshots,
    disk,
    unpack: async (folder, archive) => {
      await unpackFiles(createRunner(folder), archive)
      await requireDiskLimit(folder, limits)
    },
    ...(packs && {
      restore: async (folder, packIds) => {
        const source = await restoreCheckpoint(createRunner(folder), packs, packIds)
        await requireDiskLimit(folder, limits)
        return source
      },
    }),
  })
}

/** Checks the size of unpacked files, because the periodic check can miss files that were unpacked between two checks. */
async function requireDiskLimit(folder: Folder, limits: Limits): Promise<void> {
  if (await isOverDisk([folder.workspace, folder.home], limits))
    throw new SandboxError('failed to unpack the snapshot: disk limit exceeded')
}

async function exec(host: Host, folder: Folder, command: string, options: ExecOptions): Promise<ExecResult> {
  if (options.receipt !== undefined) {
    const earlier = await findReceipt(folder, options.receipt)
    if (earlier !== undefined) return earlier
  }
  const ended = await run(host, folder, shellProgram(command, options.cwd, 'exec 2>&1'), {
    ...options,
    ...(options.onOutput && { onBytes: decodeTo(options.onOutput) }),
  })
  const result: ExecResult = {
    exitCode: ended.exitCode,
    output: decodeText(ended.output, ended.exitCode === null),
    truncated: ended.truncated,
    timedOut: ended.timedOut,
    ...(ended.diskFull && { diskFull: true }),
  }
  if (options.receipt !== undefined) await writeReceipt(folder, options.receipt, result, host.disk)
  return result
}

/** Decodes UTF-8. With `isCut`, drops an incomplete character at the end. */
function decodeText(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: isCut })
}

async function execDetached(
  host: Host,
  folder: Folder,
  command: string,
  options: Parameters<NonNullable<Sandbox['execDetached']>>[1],
): ReturnType<NonNullable<Sandbox['execDetached']>> {
  const id = `cmd_${randomBytes(6).toString('hex')}`
  const logs = `${homeDirectory}/.commands`
  const logPath = `${logs}/${id}.log`
  const program = shellProgram(command, options.cwd, `mkdir -p ${logs}; exec > ${logPath} 2>&1`)
  const env = { ...gitEnvironment(folder.meta), ...options.env }
  const { launch, network } = await prepare(host, folder, { mode: 'detached', env, program, access: options.network })
  const release = host.keeper.keep(folder.meta.name, network)
  let ended: Awaited<ReturnType<typeof startDetached>>
  try {
    ended = await startDetached(launch, program.script, options.watchMs, { signal: options.signal, onEnd: release })
  } catch (error) {
    release()
    throw error
  } finally {
    await host.leave(folder)
  }
  const readLog = scriptProgram(`head -c 10000 -- "$1" 2>/dev/null`, [logPath])
  const log = await run(host, folder, readLog, { timeoutMs: fileTimeoutMs, maxOutputBytes: 20_000 }).catch(
    (error: unknown) => {
      // If the command has as many processes as the limit allows, no process can be started to read its log.
      if (!(error instanceof SandboxError)) throw error
      return undefined
    },
  )
  return {
    id,
    logPath,
    output: log === undefined ? '' : decodeText(log.output, false),
    exitCode: ended === undefined ? null : (ended.exitCode ?? 137),
  }
}

async function stop(host: Host, folder: Folder): Promise<void> {
  await stopFolder(host.root, folder)
  await releaseResources(host, folder)
}

/** Releases the sandbox's network and memory group after its last process has ended. */
async function releaseResources(host: Host, folder: Folder): Promise<void> {
  await host.keeper.release(folder.meta.name)
  await rm(join(folder.path, networkParent), { recursive: true, force: true })
  await host.memory?.remove(folder.meta.name)
}

/** Deletes the files from inside the sandbox first, because only their owner can override permissions that the agent set. */
async function destroy(host: Host, folder: Folder): Promise<void> {
  await endAndRelease(host, folder)
  const deleteFiles = scriptProgram('chmod -R u+rwX "$1" "$2"; find "$1" "$2" -mindepth 1 -delete', [
    workingDirectory,
    homeDirectory,
  ])
  await run(host, folder, deleteFiles, { timeoutMs: 120_000, maxOutputBytes: 1024 * 1024 }).catch(() => {})
  await endAndRelease(host, folder)
  await removeFolder(host.root, folder)
  if (folder.meta.uid !== undefined) await releaseUid(host.root, folder.meta.uid)
}

async function endAndRelease(host: Host, folder: Folder): Promise<void> {
  await endProcesses(folder)
  await releaseResources(host, folder)
}

/** Describes the isolation of commands in one sentence, for operators. */
function describeIsolation({ systemCalls, hasGroups }: { systemCalls: SystemCalls; hasGroups: boolean }): string {
  const memory = hasGroups ? 'per sandbox' : 'per process only (no control group is writable)'
  const calls = systemCalls.filter ? 'filtered' : `NOT filtered (${systemCalls.reason})`
  return `Bubblewrap: separate namespaces${isRoot() ? ' and user' : ''}, network through the worker only, system calls ${calls}, memory limited ${memory}.`
}

/** Runs a script that reads a bundle from standard input and prints the commit that it has checked out. */
async function runCheckout(
  host: Host,
  folder: Folder,
  { script, bundle }: { script: string; bundle: AsyncIterable<Uint8Array> },
  { branch, cloneUrl }: Content,
): Promise<string> {
  const ended = await run(host, folder, scriptProgram(script, [branch, cloneUrl]), {
    stdin: bundle,
    timeoutMs: 240_000,
    maxOutputBytes: 64 * 1024,
  })
  const commit = ended.output.toString().trim().split('\n').at(-1) ?? ''
  if (ended.exitCode !== 0 || !/^[0-9a-f]{40,64}$/.test(commit))
    throw new SandboxError(`failed to clone the repository: ${ended.output.toString().slice(0, 500)}`)
  return commit
}
