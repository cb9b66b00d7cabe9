import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPackId } from '../../../domain/fields/ids.ts'
import { createDiskObjects } from '../../../providers/blob/built-in/disk-objects.ts'
import { createBubblewrapSandboxes } from '../../../providers/sandbox/bubblewrap/bubblewrap.ts'
import type { CheckpointResult, LocalSandboxes, Sandbox } from '../../../providers/sandbox/index.ts'
import { gitIdentity, limits, localDrivers } from './contract.ts'

const megabyte = 1024 * 1024
const options = { timeoutMs: 60_000, gitIdentity }
const bubblewrap = (await localDrivers()).find(({ name }) => name === 'bubblewrap')

const runIn = async (sandbox: Sandbox, command: string): Promise<string> => {
  const { output, exitCode } = await sandbox.exec(command, limits)
  if (exitCode !== 0) throw new Error(`${command}: ${output}`)
  return output
}

const takeCheckpoint = async (
  sandbox: Sandbox,
  base?: string,
  { maxBytes = 64 * megabyte, isFull = false }: { maxBytes?: number; isFull?: boolean } = {},
) => {
  const packId = newPackId()
  const result = await sandbox.checkpoint?.({ packId, base, isFull, maxBytes, timeoutMs: 20_000 })
  if (result === undefined) throw new Error('no checkpoints')
  return { packId, result }
}

const requireStoredBytes = (result: CheckpointResult): number => {
  if (result.outcome !== 'stored') throw new Error(result.outcome)
  return result.bytes
}

/** Lists all files with type, mode, target, size and content. */
const describeFiles = (sandbox: Sandbox): Promise<string> =>
  runIn(
    sandbox,
    `cd / && find workspace home/agent -printf '%p %y %m %l\\n' | LC_ALL=C sort
     find workspace home/agent -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum`,
  )

const rejectRequest = async (): Promise<never> => {
  throw new Error('connect ECONNREFUSED')
}

describe.skipIf(bubblewrap?.available !== true)('checkpoints', () => {
  let folder: string
  let store: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backline-checkpoints-'))
    store = join(folder, 'store')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  let machineCount = 0
  const openMachine = async (): Promise<{ port: LocalSandboxes; root: string }> => {
    const root = join(folder, `machine-${++machineCount}`)
    return { root, port: await createBubblewrapSandboxes({ root, snapshotObjects: createDiskObjects(store) }) }
  }

  let sandboxCount = 0
  const createSandbox = async () => {
    const machine = await openMachine()
    return { ...machine, sandbox: await machine.port.create({ ...options, name: `sandbox-${++sandboxCount}` }) }
  }

  /** Creates a sandbox on another machine from packs. */
  const restore = async (packs: string[]): Promise<Sandbox> => {
    const { port } = await openMachine()
    const checkpoint = { packs, at: 1, runId: null, step: null, isTooLarge: false }
    const placement = { machine: 'other', epoch: 2, lostAt: 2 }
    return port.create({ ...options, name: `sandbox-${++sandboxCount}`, placement, checkpoint })
  }

  const commands = [
    `mkdir -p a/b c ~/.config && echo one > a/b/one && echo two > a/two && ln -s a/two link && ln a/two hard &&
     echo home > ~/.config/file && printf x > $'odd\\nname' && printf y > ' -rf' && printf z > '*' && printf ü > ü`,
    'git init -q && git add -A && git commit -qm first',
    'mv a moved && rm hard && echo more >> moved/two && chmod 700 moved/b/one',
    'rm -r c && echo file > c && rm link && mkdir link && echo in > link/in',
    'rm ~/.config/file && rmdir ~/.config && ln -s /workspace ~/.config && echo three > moved/three',
    'chmod 555 moved/b moved',
    'chmod 755 moved && rm moved/three && echo four > moved/four && chmod 555 moved',
    `rm ' -rf' $'odd\\nname' && git add -A && git commit -qm second && git gc -q`,
  ]

  it('restore the files after each of several changes', async () => {
    const { sandbox } = await createSandbox()
    const packs: string[] = []
    for (const command of commands) {
      await runIn(sandbox, command)
      const { packId, result } = await takeCheckpoint(sandbox, packs.at(-1))
      expect(result).toMatchObject({ outcome: 'stored', isFull: packs.length === 0 })
      packs.push(packId)
      const restored = await restore(packs)
      expect(await describeFiles(restored)).toBe(await describeFiles(sandbox))
      await restored.destroy()
    }
    const restored = await restore(packs)
    expect(restored.state).toMatchObject({ epoch: 2, lostAt: 2, checkpoint: { at: 1 } })
    expect(await runIn(restored, 'git fsck 2>&1; git status --short; git log --format=%s')).toContain('second\nfirst')
  })

  it('store only files that changed', async () => {
    const { sandbox } = await createSandbox()
    await runIn(sandbox, 'for i in $(seq 1000); do head -c 3000 /dev/urandom > file-$i; done')
    const first = await takeCheckpoint(sandbox)
    expect(requireStoredBytes(first.result)).toBeGreaterThan(2.5 * megabyte)
    expect((await takeCheckpoint(sandbox, first.packId)).result).toEqual({ outcome: 'unchanged' })
    await runIn(sandbox, 'echo one > file-7; rm file-8; mv file-9 file-10')
    const second = await takeCheckpoint(sandbox, first.packId)
    expect(requireStoredBytes(second.result)).toBeLessThan(0.1 * megabyte)
    const restored = await restore([first.packId, second.packId])
    expect(await runIn(restored, 'ls | wc -l; cat file-7; ls file-8 file-9 2>/dev/null || true')).toBe('998\none\n')
  })

  it('store all files if the base is unknown', async () => {
    const { sandbox, root } = await createSandbox()
    await runIn(sandbox, 'echo one > file')
    const first = await takeCheckpoint(sandbox)
    await rm(join(root, sandbox.state.sandboxName, 'checkpoint'), { recursive: true })
    const { result, packId } = await takeCheckpoint(sandbox, first.packId)
    expect(result).toMatchObject({ outcome: 'stored', isFull: true })
    expect(await runIn(await restore([packId]), 'cat file')).toBe('one\n')
  })

  it('store all files if requested, but only if a file has changed', async () => {
    const { sandbox } = await createSandbox()
    await runIn(sandbox, 'echo one > kept; echo one > changed')
    const first = await takeCheckpoint(sandbox, undefined, { isFull: true })
    const unchanged = await takeCheckpoint(sandbox, first.packId, { isFull: true })
    expect(unchanged.result).toEqual({ outcome: 'unchanged' })
    await runIn(sandbox, 'echo two > changed')
    const { result, packId } = await takeCheckpoint(sandbox, first.packId, { isFull: true })
    expect(result).toMatchObject({ outcome: 'stored', isFull: true })
    expect(await runIn(await restore([packId]), 'cat kept changed')).toBe('one\ntwo\n')
  })

  it('are restored once by concurrent calls', async () => {
    const { sandbox } = await createSandbox()
    await runIn(sandbox, 'echo one > file')
    const { packId } = await takeCheckpoint(sandbox)
    const objects = createDiskObjects(store)
    let reads = 0
    const open: typeof objects.open = (name) => {
      reads++
      return objects.open(name)
    }
    const root = join(folder, 'concurrent')
    const port = await createBubblewrapSandboxes({ root, snapshotObjects: { ...objects, open } })
    const checkpoint = { packs: [packId], at: 1, runId: null, step: null, isTooLarge: false }
    const placement = { machine: 'other', epoch: 2, lostAt: 2 }
    const restoreNamed = (name: string) => port.create({ ...options, name, placement, checkpoint })
    await restoreNamed(`sandbox-${++sandboxCount}`)
    const readsOfOne = reads
    const name = `sandbox-${++sandboxCount}`
    const restored = await Promise.all([restoreNamed(name), restoreNamed(name), restoreNamed(name)])
    for (const each of restored) expect(await runIn(each, 'cat file')).toBe('one\n')
    expect([readsOfOne > 0, reads]).toEqual([true, 2 * readsOfOne])
  })

  it('store nothing if the files exceed the limit', async () => {
    const { sandbox } = await createSandbox()
    const before = (await readdir(store, { recursive: true })).length
    await runIn(sandbox, 'head -c 3000000 /dev/zero > file')
    expect((await takeCheckpoint(sandbox, undefined, { maxBytes: 2 * megabyte })).result).toEqual({
      outcome: 'tooLarge',
    })
    await runIn(sandbox, 'rm file; seq 3000 | xargs touch')
    expect((await takeCheckpoint(sandbox, undefined, { maxBytes: 2 * megabyte })).result).toEqual({
      outcome: 'tooLarge',
    })
    expect(await readdir(store, { recursive: true })).toHaveLength(before)
    await runIn(sandbox, 'seq 3000 | xargs rm; truncate -s 3G sparse')
    const { result, packId } = await takeCheckpoint(sandbox, undefined, { maxBytes: 2 * megabyte })
    expect(requireStoredBytes(result)).toBeLessThan(10_000)
    expect(await runIn(await restore([packId]), 'stat -c %s sparse')).toBe(`${3 * 1024 ** 3}\n`)
  })

  it('never follow links or read files outside of the sandbox', async () => {
    const secret = join(folder, 'secret')
    await writeFile(secret, 'the secret of the machine')
    const { sandbox } = await createSandbox()
    await runIn(
      sandbox,
      `ln -s ${secret} secret; ln -s / root; mkfifo pipe; rm -rf ~/x; ln -s ${folder} ~/x; mkdir -m 000 closed;
       node -e 'require("net").createServer().listen("socket", () => process.exit())' || true`,
    )
    const first = await takeCheckpoint(sandbox)
    await runIn(sandbox, `rm root && mkdir root && echo one > root/file && echo two > added`)
    const second = await takeCheckpoint(sandbox, first.packId)
    // An unpacked folder is replaced by a symbolic link to a folder of the machine and is then removed.
    await runIn(sandbox, `rm -r root && ln -s ${folder} root && rm added`)
    const third = await takeCheckpoint(sandbox, second.packId)
    const restored = await restore([first.packId, second.packId, third.packId])
    expect(
      await runIn(restored, `readlink secret root ~/x; stat -c '%F %a' pipe closed; ls added 2>&1 || true`),
    ).toMatch(new RegExp(`^${secret}\n${folder}\n${folder}\nfifo 644\ndirectory 0\nls: .*\n$`))
    expect(await readFile(secret, 'utf8')).toBe('the secret of the machine')
    for (const entry of await readdir(store, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect((await readFile(join(entry.parentPath, entry.name))).includes('secret of the machine')).toBe(false)
  })

  it('are not restored if a pack is missing, and the sandbox starts without the checkpoint', async () => {
    const { sandbox } = await createSandbox()
    await runIn(sandbox, 'echo one > file')
    const first = await takeCheckpoint(sandbox)
    await runIn(sandbox, 'echo two > file')
    const second = await takeCheckpoint(sandbox, first.packId)
    const { port } = await openMachine()
    await port.deleteSnapshot(first.packId)
    const restored = await restore([first.packId, second.packId])
    expect(restored.state).toMatchObject({ checkpoint: { at: null } })
    expect(await runIn(restored, 'ls')).toBe('')
  })

  it('leave no file on the machine when the store fails', async () => {
    const root = join(folder, 'failing')
    const objects = createDiskObjects(store)
    const port = await createBubblewrapSandboxes({ root, snapshotObjects: { ...objects, put: rejectRequest } })
    const sandbox = await port.create({ ...options, name: 'failing' })
    await runIn(sandbox, 'echo one > file')
    await expect(takeCheckpoint(sandbox)).rejects.toThrow('the object store of snapshots failed')
    expect(await readdir(join(root, '.snapshots'))).toEqual([])
    expect(existsSync(join(root, 'failing', 'checkpoint'))).toBe(false)
  })
})
