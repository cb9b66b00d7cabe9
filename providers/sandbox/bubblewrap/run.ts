import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskSpace } from '../../disk-space.ts'
import type { Limits } from './args.ts'
import type { Launcher, LaunchMode } from './launcher.ts'
import type { Program } from './program.ts'
import type { MemoryGroups } from './cgroup.ts'
import { watchDisk } from '../local/disk.ts'
import type { Folder } from '../local/folder.ts'
import { SandboxError, type ExecOptions } from '../index.ts'
import { gitEnvironment } from '../local/driver.ts'
import type { NetworkAccess } from '../network/access.ts'
import type { Keeper } from '../network/keeper.ts'
import type { Networks } from '../network/open.ts'
import { runGroup, type GroupOptions, type GroupResult } from '../local/process-group.ts'

export type RunOptions = Pick<ExecOptions, 'env' | 'signal' | 'timeoutMs' | 'maxOutputBytes' | 'network'> &
  Pick<GroupOptions, 'stdin' | 'onBytes' | 'takeOutput'>

/** Resources that the sandboxes of one root share. */
export type Host = {
  root: string
  launch: Launcher
  memory: MemoryGroups | undefined
  limits: Limits
  disk: DiskSpace
  networks: Networks
  keeper: Keeper
  /** Called after each launch. */
  leave: (folder: Folder) => Promise<void>
}

type Execution = { mode: LaunchMode; env: Record<string, string>; program: Program; access: NetworkAccess | undefined }

/** Opens the network of an execution and builds its command line. The caller must close the network after the execution. */
export async function prepare(host: Host, folder: Folder, { mode, env, program, access }: Execution) {
  if (access !== undefined) await host.keeper.adopt(folder, access)
  const network = await host.networks.open(folder, access, mode === 'detached')
  try {
    return { launch: await host.launch(folder, mode, env, program, network), network }
  } catch (error) {
    await network?.close()
    throw error
  }
}

/** Runs a program to its end under all limits. Throws `SandboxError` if the sandbox itself fails. */
export async function run(
  host: Host,
  folder: Folder,
  program: Program,
  options: RunOptions,
): Promise<GroupResult & { diskFull: boolean }> {
  options.signal?.throwIfAborted()
  const env = { ...gitEnvironment(folder.meta), ...options.env }
  const { launch, network } = await prepare(host, folder, {
    mode: options.stdin === undefined ? 'plain' : 'input',
    env,
    program,
    access: options.network,
  })
  let diskFull = false
  let stopWatching: (() => void) | undefined
  let leader: number | undefined
  try {
    const result = await runGroup(launch.argv, {
      ...options,
      ...launch,
      script: program.script,
      onSpawn: (pid, kill) => {
        leader = pid
        stopWatching = watchDisk([folder.workspace, folder.home, folder.receipts], host.limits, () => {
          diskFull = true
          kill()
        })
      },
    })
    if (result.exitCode === null && !result.timedOut && !result.truncated && !diskFull)
      throw new SandboxError(`the sandbox did not start or was ended: ${result.complaint.trim()}`)
    return { ...result, diskFull }
  } finally {
    stopWatching?.()
    await network?.close()
    await host.leave(folder)
    if (leader !== undefined) await rm(join(folder.processes, String(leader)), { force: true })
  }
}
