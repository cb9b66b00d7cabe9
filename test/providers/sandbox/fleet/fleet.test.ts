import { EventEmitter, once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFleetClient } from '../../../../providers/sandbox/fleet/client.ts'
import { MachineUnreachableError } from '../../../../providers/sandbox/fleet/errors.ts'
import { SandboxError, SandboxGoneError } from '../../../../providers/sandbox/index.ts'
import { describeSandbox, gitIdentity, limits, findDefaultDriver, type Driver } from '../contract.ts'
import { createTestFleet, fleetKey, type TestMachine } from './machines.ts'

const defaultDriver = (await findDefaultDriver()) as Driver

const hasFiles = ({ root }: TestMachine, name: string): boolean => existsSync(join(root, name))

const fleets: ReturnType<typeof createTestFleet>[] = []

/** Creates every sandbox on one machine and uses it from another machine. */
describeSandbox({
  ...defaultDriver,
  name: `${defaultDriver.name} on another machine`,
  open: async (root) => {
    const fleet = createTestFleet(defaultDriver)
    fleets.push(fleet)
    const owner = await fleet.add(root)
    const user = await fleet.add()
    return {
      ...user.port,
      create: async (options) => {
        if (!fleet.records.has(options.name))
          fleet.records.set(options.name, { machine: owner.id, epoch: 1, lostAt: null })
        return user.port.create(options)
      },
      deleteSnapshot: (snapshotId) => owner.local.deleteSnapshot(snapshotId),
    }
  },
  close: async () => {
    for (const fleet of fleets) await fleet.close()
  },
})

describe('a fleet of sandbox machines', () => {
  let fleet: ReturnType<typeof createTestFleet>
  let first: TestMachine
  let second: TestMachine
  beforeAll(async () => {
    fleet = createTestFleet(defaultDriver)
    first = await fleet.add()
    second = await fleet.add()
  })
  afterAll(() => fleet.close())

  const options = { timeoutMs: 60_000, gitIdentity }

  it('opens a sandbox on the machine that stores its files', async () => {
    const { state } = await first.port.create({ ...options, name: 'shared' })
    expect(state).toMatchObject({ machine: first.id, epoch: 1 })
    const openedRemotely = await second.port.open(state)
    await openedRemotely.exec('echo there > file', limits)
    expect((await (await first.port.open(state)).exec('cat file', limits)).output).toBe('there\n')
    expect(await second.port.condition(state)).toBe('running')
    expect((await second.port.create({ ...options, name: 'shared' })).state).toMatchObject({ machine: first.id })
    expect(hasFiles(second, 'shared')).toBe(false)
    await second.port.remove(state)
    expect(hasFiles(first, 'shared')).toBe(false)
    expect(fleet.records.has('shared')).toBe(false)
  })

  it('reports an unreachable machine as an error, not as the end of the sandbox', async () => {
    const { state } = await first.port.create({ ...options, name: 'cut' })
    const sandbox = await second.port.open(state)
    await first.cut()
    for (const call of [
      () => second.port.open(state),
      () => second.port.condition(state),
      () => second.port.create({ ...options, name: 'cut' }),
      () => second.port.remove(state),
      () => sandbox.exec('true', limits),
    ]) {
      const error = await call().then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(error).toBeInstanceOf(SandboxError)
      expect(error).not.toBeInstanceOf(SandboxGoneError)
    }
    await first.serve()
    expect((await (await second.port.open(state)).exec('echo back', limits)).output).toBe('back\n')
  })

  it('fails a command when its machine is disconnected', async () => {
    const { state } = await first.port.create({ ...options, name: 'cut-within' })
    const sandbox = await second.port.open(state)
    const output = new EventEmitter()
    const execution = sandbox.exec('echo begun; sleep 30', { ...limits, onOutput: () => output.emit('begun') })
    await once(output, 'begun')
    const failed = expect(execution).rejects.toBeInstanceOf(MachineUnreachableError)
    await first.cut()
    await failed
    await first.serve()
  })

  it('recreates a sandbox of a lost machine in the next epoch and removes the older files when the machine returns', async () => {
    const { state } = await first.port.create({ ...options, name: 'moved' })
    await first.cut()
    fleet.lose(first.id)
    await expect(second.port.open(state)).rejects.toBeInstanceOf(SandboxGoneError)
    expect(await second.port.condition(state)).toBe('gone')
    const restored = await second.port.create({ ...options, name: 'moved' })
    expect(restored.state).toMatchObject({ machine: second.id, epoch: 2, lostAt: expect.any(Number) })
    await restored.exec('echo new > file', limits)
    expect(hasFiles(first, 'moved')).toBe(true)
    fleet.recover(first.id)
    await first.serve()
    await first.port.endOverdue?.()
    expect(hasFiles(first, 'moved')).toBe(false)
    expect((await (await first.port.open(restored.state)).exec('cat file', limits)).output).toBe('new\n')
    await expect(first.port.open(state)).rejects.toBeInstanceOf(SandboxGoneError)
  })

  it('recreates a sandbox of a crashed machine only if the machine cannot be reached', async () => {
    const third = await fleet.add()
    const { state } = await third.port.create({ ...options, name: 'crashed' })
    fleet.crash(third.id)
    expect((await second.port.create({ ...options, name: 'crashed' })).state).toMatchObject({ machine: third.id })
    await third.cut()
    await expect(second.port.open(state)).rejects.toBeInstanceOf(SandboxGoneError)
    const restored = await second.port.create({ ...options, name: 'crashed' })
    expect(restored.state).toMatchObject({ machine: second.id, epoch: 2 })
  })

  it('deletes files of an older epoch when the sandbox is created again', async () => {
    await first.port.create({ ...options, name: 'stale' })
    fleet.records.set('stale', { machine: first.id, epoch: 3, lostAt: 1 })
    const sandbox = await first.port.create({ ...options, name: 'stale' })
    expect(sandbox.state).toMatchObject({ epoch: 3, lostAt: 1 })
    await expect(first.port.open({ ...sandbox.state, epoch: 2 })).rejects.toThrow('was restored concurrently')
  })

  it('removes a sandbox of a lost machine and its files when the machine returns', async () => {
    const third = await fleet.add()
    const { state } = await third.port.create({ ...options, name: 'left' })
    await third.cut()
    fleet.lose(third.id)
    await second.port.remove(state)
    expect(fleet.records.has('left')).toBe(false)
    await third.port.endOverdue?.()
    expect(hasFiles(third, 'left')).toBe(false)
  })

  it('retains sandboxes that were created before the machine joined the fleet', async () => {
    await first.local.create({ ...options, name: 'early' })
    await first.port.endOverdue?.()
    expect((await second.port.open({ type: 'local', sandboxName: 'early' })).state.sandboxName).toBe('early')
    expect((await second.port.create({ ...options, name: 'early' })).state).toMatchObject({
      machine: first.id,
      epoch: 1,
    })
  })

  it('rejects connections with another key or from a copy of the deployment', async () => {
    const { state } = await first.port.create({ ...options, name: 'private' })
    const call = { op: 'condition', machine: first.id, state, args: {} } as const
    for (const key of [
      { ...fleetKey, secret: 'another secret' },
      { ...fleetKey, deployment: 'deployment/2' },
    ]) {
      const client = createFleetClient(key)
      await expect(client.exchange(first.address, call).next()).rejects.toBeInstanceOf(MachineUnreachableError)
      client.close()
    }
    const [host, port] = first.address.split(':')
    const anonymous = connectTls({ host, port: Number(port), rejectUnauthorized: false })
    await expect(
      new Promise((resolve, reject) => anonymous.once('secureConnect', resolve).once('error', reject)),
    ).rejects.toThrow()
  })

  it('switches to another process of the machine when the first process ends', async () => {
    const { state } = await first.port.create({ ...options, name: 'two-processes' })
    await first.serve()
    await first.closeOldestServer()
    await expect.poll(() => second.port.condition(state).catch(() => 'unreachable'), { timeout: 5000 }).toBe('running')
  })
})
