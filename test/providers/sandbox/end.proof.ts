import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { killRecorded } from '../../../providers/sandbox/local/host.ts'
import {
  SandboxGoneError,
  SandboxStoppedError,
  type Sandbox,
  type SandboxState,
} from '../../../providers/sandbox/index.ts'
import { eventually } from '../../world/world.ts'
import { gitIdentity, limits, localDrivers, useBench } from './contract.ts'

const minute = 60_000

for (const driver of await localDrivers()) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(`the end of a sandbox of ${title}`, () => {
    const bench = useBench(driver)
    const create = (name: string, timeoutMs: number) => bench.port.create({ name, timeoutMs, gitIdentity })
    const untilOver = async (state: SandboxState): Promise<void> => {
      await eventually('the end', async () => (await bench.port.condition(state)) === 'stopped' || undefined)
    }

    const endSoon = async (sandbox: Sandbox): Promise<void> => untilOver(await sandbox.extend(Date.now() + 300))

    it('is reported without resuming it: running, stopped or gone', async () => {
      const sandbox = await create('reported', minute)
      const { state } = sandbox
      expect(await bench.port.condition(state)).toBe('running')
      await sandbox.stop()
      expect(await bench.port.condition(state)).toBe('stopped')
      expect(await bench.port.condition(state)).toBe('stopped')
      expect((await bench.port.open(state)).state).not.toHaveProperty('expiresAt')
      await create('reported', minute)
      expect(await bench.port.condition(state)).toBe('running')
      await (await bench.port.open(state)).destroy()
      expect(await bench.port.condition(state)).toBe('gone')
    })

    it('comes automatically at its timeout', async () => {
      const { state } = await create('over', 300)
      await untilOver(state)
      await (await bench.port.open(state)).destroy()
    })

    it('can be moved while it runs, and is stored', async () => {
      const sandbox = await create('moved', minute)
      const expiresAt = (sandbox.state.expiresAt ?? 0) + 20 * minute
      expect(await sandbox.extend(expiresAt)).toEqual({ ...sandbox.state, expiresAt })
      expect((await bench.port.open(sandbox.state)).state.expiresAt).toBe(expiresAt)
      await sandbox.destroy()
    })

    it('cannot be moved once it has come', async () => {
      const stopped = await create('stopped', minute)
      await stopped.stop()
      await expect(stopped.extend(Date.now() + minute)).rejects.toBeInstanceOf(SandboxStoppedError)
      await stopped.destroy()
      await expect(stopped.extend(Date.now() + minute)).rejects.toBeInstanceOf(SandboxGoneError)
      const over = await create('expired', 300)
      await untilOver(over.state)
      await expect(over.extend(Date.now() + minute)).rejects.toBeInstanceOf(SandboxStoppedError)
      await over.destroy()
    })

    it('ends a running command when the sweep finds the sandbox expired', async () => {
      const sandbox = await create('busy', minute)
      const running = sandbox.exec('sleep 60', { ...limits, timeoutMs: 50_000 })
      const ended = running.then(
        ({ exitCode }) => exitCode !== 0,
        () => true,
      )
      const records = join(bench.root, 'busy', 'processes')
      await eventually('the command', async () => (await readdir(records)).length > 0 || undefined)
      await endSoon(sandbox)
      await bench.port.endOverdue?.()
      expect(await ended).toBe(true)
      await sandbox.destroy()
    })

    it('leaves alone what runs in time and what began after a resume', async () => {
      const sandbox = await create('again', 300)
      await untilOver(sandbox.state)
      const resumed = await create('again', minute)
      const running = resumed.exec('sleep 2; echo whole', limits)
      const records = join(bench.root, 'again', 'processes')
      await eventually('the command', async () => (await readdir(records)).length > 0 || undefined)
      await bench.port.endOverdue?.()
      await bench.port.open(resumed.state)
      expect((await running).output).toBe('whole\n')
      await resumed.destroy()
    })

    it('ends only what began before a given time, if one is given', async () => {
      const sandbox = await create('filtered', minute)
      const running = sandbox.exec('sleep 60', { ...limits, timeoutMs: 50_000 })
      const ended = running.then(
        ({ exitCode }) => exitCode !== 0,
        () => true,
      )
      const records = join(bench.root, 'filtered', 'processes')
      const begun = async () => (await readdir(records)).length > 0 || undefined
      await eventually('the command', begun)
      await killRecorded(records, Date.now() - minute)
      expect(await begun()).toBe(true)
      await killRecorded(records, Date.now() + 1)
      expect(await ended).toBe(true)
      await sandbox.destroy()
    })

    it('ends background commands', async () => {
      const sandbox = await create('background', minute)
      if (sandbox.execDetached === undefined) return sandbox.destroy()
      await sandbox.execDetached('while true; do date +%s%N > beat; sleep 0.05; done', { watchMs: 200 })
      const beat = async (): Promise<string> => (await sandbox.exec('cat beat 2>/dev/null', limits)).output
      await eventually('a beat', async () => (await beat()) || undefined)
      await endSoon(sandbox)
      await bench.port.endOverdue?.()
      const resumed = await create('background', minute)
      const last = await beat()
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await beat()).toBe(last)
      return resumed.destroy()
    })
  })
}
