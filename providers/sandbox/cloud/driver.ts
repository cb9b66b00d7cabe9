import { randomBytes } from 'node:crypto'
import { checkName } from '../local/folder.ts'
import {
  removeOpened,
  SandboxError,
  SandboxGoneError,
  type CreateSandbox,
  type Sandbox,
  type SandboxPort,
  type SandboxState,
} from '../index.ts'
import type { Cloud, Machine } from './machine.ts'
import { machineSandbox } from './sandbox.ts'
import { fillScript, readSourceScript } from './scripts.ts'
import { uploadPieces } from './upload.ts'

const lookupTimeoutMs = 60_000
const fillTimeoutMs = 240_000

type CreatedMachine = { source: SandboxState['source']; machine: string | undefined }

/** Implements the port with machines of a vendor. If the creator of a machine is killed, a later call completes the setup. */
export function createCloudSandboxes(cloud: Cloud): SandboxPort {
  const create = async (options: CreateSandbox) => {
    const { name, timeoutMs, snapshotId } = options
    const machine = (await cloud.find(checkName(name))) ?? (await cloud.make({ name, timeoutMs, snapshotId }))
    const source = await fill(machine, cloud, options)
    const expiresAt = Date.now() + timeoutMs
    if (machine.expiresAt < expiresAt - 1000) await machine.extend(expiresAt)
    return machineSandbox(machine, cloud, source)
  }

  const open = async (state: SandboxState): Promise<Sandbox> => {
    const machine = await cloud.find(checkName(state.sandboxName))
    if (machine === undefined) throw new SandboxGoneError(`no sandbox ${state.sandboxName}`)
    return machineSandbox(machine, cloud, state.source)
  }

  return {
    type: cloud.type,
    workingDirectory: cloud.workingDirectory,
    startsFromBases: true,
    create,
    open,
    remove: (state) => removeOpened({ open }, state),
    condition: async ({ sandboxName }) => cloud.condition(checkName(sandboxName)),
    deleteSnapshot: (snapshotId) => cloud.deleteSnapshot(snapshotId),
    probe: async () => {
      try {
        await cloud.find(`probe-${randomBytes(6).toString('hex')}`)
        return { ok: true, isolation: cloud.isolation }
      } catch (error) {
        return { ok: false, isolation: `Not available: ${(error as Error).message.slice(0, 300)}` }
      }
    },
  }
}

/** Copies the repository to the machine as a bundle, so that the machine contains no credential. Safe to run concurrently. */
async function fill(
  machine: Machine,
  cloud: Cloud,
  { gitIdentity, repository, snapshotId }: CreateSandbox,
): Promise<SandboxState['source']> {
  const lookup = await runScript(machine, readSourceScript, [], lookupTimeoutMs)
  const created = lookup.code === 0 ? parseCreated(lookup.text) : undefined
  const isBase = created?.machine !== undefined && created.machine !== machine.name
  const isEmpty = created === undefined && snapshotId === undefined
  let bundle = ''
  if (repository !== undefined && (isBase || isEmpty)) {
    const { branch } = repository
    const commit = created?.source?.baseCommit
    bundle = `/tmp/repository-${randomBytes(6).toString('hex')}.bundle`
    await uploadPieces(machine, bundle, repository.bundle(commit === undefined ? undefined : { branch, commit }))
  }
  const bundleArgs = bundle === '' ? ['', '', ''] : [bundle, repository?.branch ?? '', repository?.cloneUrl ?? '']
  const args = [cloud.workingDirectory, gitIdentity.name, gitIdentity.email, machine.name, ...bundleArgs]
  const result = await runScript(machine, fillScript, args, fillTimeoutMs)
  if (result.code !== 0) throw new SandboxError(`failed to clone the repository: ${result.text.slice(0, 500)}`)
  return parseCreated(result.text).source
}

async function runScript(
  machine: Machine,
  script: string,
  args: string[],
  timeoutMs: number,
): Promise<{ code: number; text: string }> {
  let text = ''
  const status = await machine.run({ script, args, timeoutMs, onOutput: (chunk) => (text += chunk) })
  return { code: Number(status.trim() || 1), text }
}

function parseCreated(text: string): CreatedMachine {
  const [repo, branch, baseCommit, machine] = text.trim().split('\n')
  return { source: repo && branch && baseCommit ? { repo, branch, baseCommit } : undefined, machine }
}
