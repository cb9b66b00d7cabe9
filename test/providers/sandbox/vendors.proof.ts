import { describe, expect, it } from 'vitest'
import { SandboxError, SandboxStoppedError } from '../../../providers/sandbox/index.ts'
import { eventually } from '../../world/world.ts'
import { gitIdentity, limits, localDrivers, useSandboxFixture } from './contract.ts'
import { cloudDrivers } from '../vendors/drivers.ts'
import { e2bKey } from '../vendors/e2b.ts'
import { vercelToken } from '../vendors/vercel/vercel.ts'

// E2B's proxy returns 429 and 503 while a machine is asleep. The driver then wakes the machine and repeats the request.
const vendors = {
  vercel: {
    path: '/cmd',
    faultStatuses: [429, 500, 503],
    asleepStatuses: [],
    create: '/sandboxes',
    network: '/network-policy',
    addHeaders: (headers: object) => ({ allow: { 'platform.example': [{ transform: [{ headers }] }] } }),
    reach: {
      networkPolicy: { allow: ['platform.example'], subnets: { deny: expect.arrayContaining(['169.254.0.0/16']) } },
    },
  },
  e2b: {
    path: '/Start',
    faultStatuses: [500],
    asleepStatuses: [429, 502, 503],
    create: '/sandboxes',
    network: '/network',
    addHeaders: (headers: object) => ({
      allowOut: ['platform.example'],
      denyOut: ['0.0.0.0/0'],
      rules: { 'platform.example': [{ transform: { headers } }] },
    }),
    reach: { network: { allowOut: ['platform.example'], denyOut: ['0.0.0.0/0'] } },
  },
}

const createAccess = (key: string) => ({
  services: [{ address: 'https://platform.example', headers: async () => ({ 'x-api-key': key }) }],
})

for (const driver of cloudDrivers(await localDrivers())) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  const vendor = vendors[driver.name as keyof typeof vendors]
  const { path, faultStatuses, asleepStatuses, create, reach, network, addHeaders } = vendor

  describe.skipIf(!driver.available)(`the vendor driver ${title}`, () => {
    const fixture = useSandboxFixture(driver)
    const countCalls = (end: string): number => driver.vendor().calls.filter((call) => call.endsWith(end)).length

    it.each(faultStatuses)('sends one request and reports the status %i as a sandbox error', async (status) => {
      const before = countCalls(path)
      driver.vendor().failNext(path, status)
      await expect(fixture.sandbox.exec('echo ran >> ran.txt', limits)).rejects.toBeInstanceOf(SandboxError)
      expect(countCalls(path)).toBe(before + 1)
      expect(await fixture.run('cat ran.txt 2> /dev/null')).toBe('')
    })

    it.each(asleepStatuses)(
      'treats the status %i as a sleeping machine, wakes it and runs the command once',
      async (status) => {
        driver.vendor().failNext(path, status)
        expect((await fixture.sandbox.exec('echo ran >> once.txt; cat once.txt; rm once.txt', limits)).output).toBe(
          'ran\n',
        )
      },
    )

    it('restricts the network of a machine as soon as it starts', () => {
      expect(driver.vendor().sent(create)[0]).toMatchObject(reach)
    })

    it('adds the headers of a command outside the machine and replaces them for the next command', async () => {
      const searchCommand = 'env; cat /proc/*/environ /proc/*/cmdline; grep -rs sk_ ~ . /tmp'
      const find = `{ ${searchCommand}; } | tr "\\0" "\\n" | grep -o "sk_[o]f_[a-z]*" || true`
      const seen = await fixture.sandbox.exec(find, { ...limits, network: createAccess('sk_of_one') })
      expect([seen.exitCode, seen.output]).toEqual([0, ''])
      await fixture.sandbox.execDetached?.('true', { watchMs: 5000, network: createAccess('sk_of_another') })
      await fixture.sandbox.exec('true', limits)
      const expected = ['sk_of_one', 'sk_of_another'].map((key) => addHeaders({ 'x-api-key': key }))
      expect(driver.vendor().sent(network)).toMatchObject(expected)
      await fixture.sandbox.exec('true', {
        ...limits,
        network: { services: [{ address: 'https://platform.example', headers: async () => undefined }] },
      })
      expect(driver.vendor().sent(network)).toHaveLength(2)
    })

    it('reveals no credentials in errors', async () => {
      for (const failingPath of [path, network]) {
        driver.vendor().failNext(failingPath, 401)
        const rejection = await fixture.sandbox
          .exec('true', { ...limits, network: createAccess('sk_of_one') })
          .catch((error: Error) => error)
        expect(rejection).toBeInstanceOf(SandboxError)
        expect(String((rejection as Error).stack)).not.toMatch(new RegExp(`${vercelToken}|${e2bKey}|sk_of_one`))
      }
    })

    it('stores no vendor credentials in a sandbox', async () => {
      const searchCommand = 'env; cat /proc/*/environ /proc/*/cmdline; grep -rs -e token -e e2b_ ~ . /tmp'
      expect(await fixture.run(`${searchCommand} | tr "\\0" "\\n"`)).not.toMatch(new RegExp(`${vercelToken}|${e2bKey}`))
    })

    it('ends the commands of a sandbox when it stops, and resumes it for the next command', async () => {
      const sandbox = await fixture.port.create({ name: 'sleeper', timeoutMs: 60_000, gitIdentity })
      const detachedCommand = await sandbox.execDetached?.('echo begun; exec sleep 60', { watchMs: 1000 })
      expect(detachedCommand).toMatchObject({ exitCode: null, output: 'begun\n' })
      await (await fixture.port.open(sandbox.state)).stop()
      const { output } = await sandbox.exec(`pgrep -x sleep; cat ${detachedCommand?.logPath}`, limits)
      expect(output).toBe('begun\n')
      expect(await sandbox.execDetached?.('echo broken; exit 4', { watchMs: 10_000 })).toMatchObject({
        exitCode: 4,
        output: 'broken\n',
      })
      await sandbox.destroy()
    })

    it('reports a sandbox as running, stopped or deleted without resuming it', async () => {
      const { state } = await fixture.port.create({ name: 'reported', timeoutMs: 60_000, gitIdentity })
      const open = () => fixture.port.open(state)
      expect(await fixture.port.condition(state)).toBe('running')
      const stopped = await open()
      await stopped.stop()
      expect(await fixture.port.condition(state)).toBe('stopped')
      await expect(stopped.extend(Date.now() + 60_000)).rejects.toBeInstanceOf(SandboxStoppedError)
      expect(await fixture.port.condition(state)).toBe('stopped')
      const resumed = await open()
      expect(await fixture.port.condition(state)).toBe('running')
      await resumed.destroy()
      expect(await fixture.port.condition(state)).toBe('gone')
    })

    it('leaves no process of a command behind, even in a separate session', async () => {
      await fixture.run('setsid sleep 61 > /dev/null 2>&1 & (sleep 62 &) ; echo started')
      expect(await fixture.run('pgrep -x sleep')).toBe('')
      await fixture.sandbox.exec('setsid sleep 63 & sleep 64', { ...limits, timeoutMs: 1000 })
      expect(await fixture.run('pgrep -x sleep')).toBe('')
    })

    it('stores the result of a command whose caller has lost the connection', async () => {
      let execution: Promise<unknown> = Promise.resolve()
      const begun = new Promise<void>((resolve) => {
        const command = 'echo begun; sleep 1; echo finished'
        execution = fixture.sandbox.exec(command, { ...limits, receipt: 'lost', onOutput: () => resolve() })
      })
      const refused = expect(execution).rejects.toBeInstanceOf(SandboxError)
      await begun
      driver.vendor().cut()
      await refused
      // The first requests still use the closed connections.
      const result = await eventually('the receipt', () =>
        fixture.port
          .open(fixture.sandbox.state)
          .then((again) => again.findReceipt('lost'))
          .catch(() => undefined),
      )
      expect(result).toEqual({ exitCode: 0, output: 'begun\nfinished\n', truncated: false, timedOut: false })
    })

    it.skipIf(driver.name !== 'e2b')(
      'runs commands without added headers if the vendor rejects these headers',
      async () => {
        driver.vendor().failNext(network, 400)
        const before = countCalls(network)
        for (const key of ['sk_of_one', 'sk_of_another'])
          expect(await fixture.sandbox.exec('echo ran', { ...limits, network: createAccess(key) })).toMatchObject({
            exitCode: 0,
            output: 'ran\n',
          })
        expect(countCalls(network)).toBe(before + 1)
      },
    )
  })
}
