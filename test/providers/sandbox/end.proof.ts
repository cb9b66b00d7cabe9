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
import { gitIdentity, limits, localDrivers, useSandboxFixture } from './contract.ts'

const minute = 60_000

for (const driver of await localDrivers()) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(`the end of a sandbox with the driver ${title}`, () => {
    const fixture = useSandboxFixture(driver)
    const create = (name: string, timeoutMs: number) => fixture.port.create({ name, timeoutMs, gitIdentity })
    const untilStopped = async (state: SandboxState): Promise<void> => {
      await eventually(
        'the end of the sandbox',
        async () => (await fixture.port.condition(state)) === 'stopped' || undefined,
      )
    }

    const endSoon = async (sandbox: Sandbox): Promise<void> => untilStopped(await sandbox.extend(Date.now() + 300))

    it('shows in its reported state, which is read without resuming the sandbox', async () => {
      const sandbox = await create('reported', minute)
      const { state } = sandbox
      expect(await fixture.port.condition(state)).toBe('running')
      await sandbox.stop()
      expect(await fixture.port.condition(state)).toBe('stopped')
      expect(await fixture.port.condition(state)).toBe('stopped')
      expect((await fixture.port.open(state)).state).not.toHaveProperty('expiresAt')
      await create('reported', minute)
      expect(await fixture.port.condition(state)).toBe('running')
      await (await fixture.port.open(state)).destroy()
      expect(await fixture.port.condition(state)).toBe('gone')
    })

    it('occurs automatically at its timeout', async () => {
      const { state } = await create('over', 300)
      await untilStopped(state)
      await (await fixture.port.open(state)).destroy()
    })

    it('can be postponed while the sandbox runs, and the new end is stored', async () => {
      const sandbox = await create('moved', minute)
      const expiresAt = (sandbox.state.expiresAt ?? 0) + 20 * minute
      expect(await sandbox.extend(expiresAt)).toEqual({ ...sandbox.state, expiresAt })
      expect((await fixture.port.open(sandbox.state)).state.expiresAt).toBe(expiresAt)
      await sandbox.destroy()
    })

    it('cannot be postponed after the sandbox has stopped', async () => {
      const stopped = await create('stopped', minute)
      await stopped.stop()
      await expect(stopped.extend(Date.now() + minute)).rejects.toBeInstanceOf(SandboxStoppedError)
      await stopped.destroy()
      await expect(stopped.extend(Date.now() + minute)).rejects.toBeInstanceOf(SandboxGoneError)
      const expired = await create('expired', 300)
      await untilStopped(expired.state)
      await expect(expired.extend(Date.now() + minute)).rejects.toBeInstanceOf(SandboxStoppedError)
      await expired.destroy()
    })

    it('also ends a running command when the sweep finds that the sandbox has expired', async () => {
      const sandbox = await create('busy', minute)
      const execution = sandbox.exec('sleep 60', { ...limits, timeoutMs: 50_000 })
      const executionEnd = execution.then(
        ({ exitCode }) => exitCode !== 0,
        () => true,
      )
      const records = join(fixture.root, 'busy', 'processes')
      await eventually('the command', async () => (await readdir(records)).length > 0 || undefined)
      await endSoon(sandbox)
      await fixture.port.endOverdue?.()
      expect(await executionEnd).toBe(true)
      await sandbox.destroy()
    })

    it('does not affect commands that started after the sandbox was resumed', async () => {
      const sandbox = await create('again', 300)
      await untilStopped(sandbox.state)
      const resumed = await create('again', minute)
      const execution = resumed.exec('sleep 2; echo whole', limits)
      const records = join(fixture.root, 'again', 'processes')
      await eventually('the command', async () => (await readdir(records)).length > 0 || undefined)
      await fixture.port.endOverdue?.()
      await fixture.port.open(resumed.state)
      expect((await execution).output).toBe('whole\n')
      await resumed.destroy()
    })

    it('can be limited to commands that started before a given time', async () => {
      const sandbox = await create('filtered', minute)
      const execution = sandbox.exec('sleep 60', { ...limits, timeoutMs: 50_000 })
      const executionEnd = execution.then(
        ({ exitCode }) => exitCode !== 0,
        () => true,
      )
      const records = join(fixture.root, 'filtered', 'processes')
      const hasStarted = async () => (await readdir(records)).length > 0 || undefined
      await eventually('the command', hasStarted)
      await killRecorded(records, Date.now() - minute)
      expect(await hasStarted()).toBe(true)
      await killRecorded(records, Date.now() + 1)
      expect(await executionEnd).toBe(true)
      await sandbox.destroy()
    })

    it('also ends background commands', async () => {
      const sandbox = await create('background', minute)
      if (sandbox.execDetached === undefined) return sandbox.destroy()
      await sandbox.execDetached('while true; do date +%s%N > beat; sleep 0.05; done', { watchMs: 200 })
      const beat = async (): Promise<string> => (await sandbox.exec('cat beat 2>/dev/null', limits)).output
      await eventually('a beat', async () => (await beat()) || undefined)
      await endSoon(sandbox)
      await fixture.port.endOverdue?.()
      const resumed = await create('background', minute)
      const last = await beat()
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await beat()).toBe(last)
      return resumed.destroy()
    })
  })
}
