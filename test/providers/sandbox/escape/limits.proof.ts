import { spawn } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBubblewrapSandboxes } from '../../../../providers/sandbox/bubblewrap/bubblewrap.ts'
import type { SandboxPort } from '../../../../providers/sandbox/index.ts'
import { createJustBashSandboxes } from '../../../../providers/sandbox/just-bash.ts'
import { eventually } from '../../../world/world.ts'
import { gitIdentity, limits, localDrivers } from '../contract.ts'

const options = { timeoutMs: 600_000, gitIdentity }
const smallLimits = { diskBytes: 80_000_000, diskFiles: 3000, snapshotBytes: 200_000, processes: 60 }
const openers: Record<string, (root: string) => Promise<SandboxPort>> = {
  bubblewrap: (root) => createBubblewrapSandboxes({ root, limits: smallLimits }),
  'just-bash': (root) => createJustBashSandboxes({ root, limits: smallLimits }),
}

for (const driver of await localDrivers()) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  const isBubblewrap = driver.name === 'bubblewrap'

  describe.skipIf(!driver.available)(`the limits on runaway commands in ${title}`, () => {
    let root: string
    let port: SandboxPort
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'backline-limits-'))
      port = (await openers[driver.name]?.(root)) as SandboxPort
    })
    afterAll(() => rm(root, { recursive: true, force: true }))

    const runInSandbox = async (
      name: string,
      runTest: (sandbox: Awaited<ReturnType<SandboxPort['create']>>) => Promise<void>,
    ) => {
      const sandbox = await port.create({ ...options, name })
      await runTest(sandbox)
      expect((await sandbox.exec('find . -mindepth 1 -delete; echo alive', limits)).output).toBe('alive\n')
      await sandbox.destroy()
    }

    it('end a command that fills the disk', () =>
      runInSandbox('bytes', async (sandbox) => {
        const flood = isBubblewrap
          ? 'for i in {1..300}; do head -c 10000000 /dev/zero > "file$i"; sleep 0.1; done'
          : 'a=$(printf "x%.0s" {1..1000000}); for i in {1..100000}; do echo "$a$a$a$a$a" > "file$i"; done'
        const execResult = await sandbox.exec(flood, { ...limits, timeoutMs: 60_000 })
        if (isBubblewrap) expect(execResult).toMatchObject({ exitCode: null, diskFull: true })
        // The limits of the simulated shell may end the command first.
        else expect(execResult.exitCode).not.toBe(0)
      }))

    it.skipIf(!isBubblewrap)('end a command that floods the disk with empty files', () =>
      runInSandbox('files', async (sandbox) => {
        const flood = 'i=0; while true; do touch $(seq -f "f$i-%g" 1 1000); i=$((i+1)); done'
        const execResult = await sandbox.exec(flood, { ...limits, timeoutMs: 60_000 })
        expect(execResult).toMatchObject({ exitCode: null, diskFull: true })
      }),
    )

    it.skipIf(!isBubblewrap)('end a detached command that fills the disk', () =>
      runInSandbox('detached-disk', async (sandbox) => {
        const flood = 'i=0; while true; do head -c 20000000 /dev/zero > "file$i"; i=$((i+1)); sleep 0.2; done'
        const detachedCommand = await sandbox.execDetached?.(flood, { watchMs: 100 })
        expect(detachedCommand?.exitCode).toBeNull()
        const count = async () => (await sandbox.exec('ls | wc -l', limits)).output
        await eventually(
          'the end of the flood',
          async () => {
            const first = await count()
            // A growth rate is measured over an interval.
            await new Promise((resolve) => setTimeout(resolve, 1500))
            return (await count()) === first ? true : undefined
          },
          60_000,
        )
      }),
    )

    it('reject a snapshot that is too large and leave no file of it', () =>
      runInSandbox('bomb', async (sandbox) => {
        if (!isBubblewrap) return
        await sandbox.exec('head -c 3000000 /dev/urandom > noise', limits)
        await expect(sandbox.snapshot()).rejects.toThrow('too large')
        expect(await readdir(join(root, '.snapshots'))).toEqual([])
      }))

    it.skipIf(!isBubblewrap)('stop unpacking a snapshot at the disk limit and leave no file of it', async () => {
      const largeDiskPort = await createBubblewrapSandboxes({ root, limits: { diskBytes: 2_000_000_000 } })
      const source = await largeDiskPort.create({ ...options, name: 'zeros' })
      await source.exec('for i in {1..12}; do head -c 10000000 /dev/zero > zeros$i; done', limits)
      const { snapshotId } = await source.snapshot()
      await source.destroy()
      await expect(port.create({ ...options, name: 'unpacked', snapshotId })).rejects.toThrow('disk limit exceeded')
      expect((await readdir(root)).filter((entry) => entry.includes('unpacked'))).toEqual([])
      await port.deleteSnapshot(snapshotId)
    })

    it.skipIf(!isBubblewrap)('also apply to the shared folders for temporary files', () =>
      runInSandbox('shared', async (sandbox) => {
        const flood = 'head -c 3G /dev/zero > /tmp/flood; head -c 3G /dev/zero > /dev/shm/flood; df -m /tmp | tail -1'
        const { output } = await sandbox.exec(flood, { ...limits, timeoutMs: 60_000 })
        expect(output).toMatch(/No space left|Killed|File too large|Cannot allocate/)
        expect((await sandbox.exec('ls -A /tmp /dev/shm', limits)).output).not.toContain('flood')
      }),
    )

    it.skipIf(!isBubblewrap)('also apply to the processes of detached commands', () =>
      runInSandbox('bombs', async (sandbox) => {
        await sandbox.execDetached?.('bomb() { bomb | bomb & }; bomb; sleep 30', { watchMs: 500 })
        const hostProcess = spawn('true')
        expect(await new Promise((resolve) => hostProcess.once('exit', resolve))).toBe(0)
        await sandbox.stop()
      }),
    )

    it.skipIf(!isBubblewrap)('prevent core dumps and cannot be raised', () =>
      runInSandbox('cores', async (sandbox) => {
        const { output } = await sandbox.exec(
          'ulimit -c unlimited; bash -c "kill -SEGV \\$\\$"; ls; ulimit -n 999999',
          limits,
        )
        expect(output).toContain('cannot modify limit')
        expect(output).not.toMatch(/^core/m)
      }),
    )

    it.skipIf(!isBubblewrap)(
      'hide the processes of another sandbox and protect them from signals and traces',
      async () => {
        const victim = await port.create({ ...options, name: 'victim' })
        const attacker = await port.create({ ...options, name: 'attacker' })
        const detachedCommand = await victim.execDetached?.('exec -a the-victim sleep 60', { watchMs: 300 })
        expect(detachedCommand?.exitCode).toBeNull()
        const attack = `cat /proc/[0-9]*/cmdline | tr '\\0' ' '; for p in $(seq 2 400); do kill -9 $p; done 2> /dev/null
        ls /proc/1/root/ > /dev/null; cat /proc/1/environ | tr '\\0' ' '; echo 1 > /proc/sysrq-trigger; echo x > /proc/sys/kernel/core_pattern`
        const { output } = await attacker.exec(attack, limits)
        expect(output).not.toContain('the-victim')
        expect(output).not.toContain('VITEST')
        expect(await readFile('/proc/sys/kernel/core_pattern', 'utf8')).not.toBe('x\n')
        const repeated = await victim.execDetached?.('pgrep sleep; exit 7', { watchMs: 5000 })
        expect(repeated?.exitCode).toBe(7)
        const pids = await readdir('/proc')
        const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
        expect(lines.some((line) => line.startsWith('the-victim'))).toBe(true)
        await victim.destroy()
        await attacker.destroy()
      },
    )
  })
}
