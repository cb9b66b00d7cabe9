import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBubblewrapSandboxes } from '../../../../providers/sandbox/bubblewrap/bubblewrap.ts'
import type { NetworkAccess } from '../../../../providers/sandbox/network/access.ts'
import { wrapInBridge } from '../../../../providers/sandbox/network/bridge.ts'
import { eventually } from '../../../world/world.ts'
import {
  createInternet,
  openNetworkFixture,
  createPlatformAccess,
  startRecorder,
  runSecret,
  type RecordedRequest,
  type Recorder,
  type NetworkFixture,
} from './fixture.ts'
import { localDrivers } from '../contract.ts'

const drivers = await localDrivers()
const isAvailable = (name: string): boolean => drivers.some((driver) => driver.name === name && driver.available)

let platform: Recorder
let site: Recorder
let access: NetworkAccess
beforeAll(async () => {
  site = await startRecorder((request, response) => {
    if (request.url === '/large') response.end('x'.repeat(3_000_000))
    else response.end(`site saw ${request.method} ${request.url}\n`)
  })
  platform = await startRecorder((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `http://public.test:${site.port}/landed` }).end()
    else response.end(`${JSON.stringify({ path: request.url })}\n`)
  })
  access = createPlatformAccess(platform.origin, platform)
})
afterAll(async () => {
  await platform.close()
  await site.close()
})

const readLast = ({ requests }: Recorder) => requests.at(-1)
const internet = () => createInternet({ 'public.test': '127.0.0.1' }, site.port)

for (const [driver, bridge] of [
  ['bubblewrap', 'perl'],
  ['bubblewrap', 'node'],
  ['just-bash', undefined],
] as const) {
  describe.skipIf(!isAvailable(driver))(`the network of ${driver}${bridge ? ` through ${bridge}` : ''}`, () => {
    let fixture: NetworkFixture
    beforeAll(async () => {
      fixture = await openNetworkFixture(driver, { reach: 'public', internet: internet(), ...(bridge && { bridge }) })
    })
    afterAll(() => fixture.close())

    it('adds the run key, which the sandbox does not see, to a request to the platform', async () => {
      const env = { PLATFORM_API_URL: platform.origin }
      const { output } = await fixture.run('curl -sS $PLATFORM_API_URL/api/me; env; cat /proc/*/cmdline', access, env)
      expect(output).toContain('{"path":"/api/me"}')
      expect(output).not.toContain(runSecret)
      expect(readLast(platform)).toMatchObject({ url: '/api/me', headers: { 'x-api-key': runSecret } })
    })

    it("removes the command's own identity headers from a request to the platform", async () => {
      const headerOptions = `-H 'x-api-key: mine' -H 'Authorization: Bearer x' -H 'X-Forwarded-For: 203.0.113.1'`
      await fixture.run(`curl -sS ${headerOptions} ${platform.origin}/api/me`, access)
      const lastRequest = readLast(platform)
      expect(lastRequest?.headers['x-forwarded-for']).toBeUndefined()
      expect(lastRequest?.headers['x-api-key']).toBe(runSecret)
      expect(lastRequest?.headers.authorization).toBeUndefined()
      expect(lastRequest?.rawHeaders.filter((name) => name.toLowerCase() === 'x-api-key')).toHaveLength(1)
    })

    it('does not send the key to other hosts, even after a redirect from the platform', async () => {
      const { output } = await fixture.run(`curl -sSL ${platform.origin}/away`, access)
      expect(output).toContain('site saw GET /landed')
      expect(JSON.stringify(readLast(site))).not.toContain(runSecret)
    })

    it('transfers a request body and a large response', async () => {
      await fixture.run(`curl -sS -d 'a=1&b=2' http://public.test:${site.port}/form`, access)
      expect(readLast(site)).toMatchObject({ method: 'POST', url: '/form', body: 'a=1&b=2' })
      const { output } = await fixture.run(`curl -sS http://public.test:${site.port}/large | wc -c`, access)
      expect(output.trim()).toBe('3000000')
    })

    it('rejects a platform path that is closed to sandboxes', async () => {
      const before = platform.requests.length
      const { output } = await fixture.run(`curl -sS ${platform.origin}/closed/door`, access)
      expect(output).toContain('This path cannot be reached from a sandbox')
      expect(platform.requests).toHaveLength(before)
    })

    it('gives access only to public hosts', async () => {
      const hidden = await startRecorder()
      const { output } = await fixture.run(
        `curl -sS -m 10 http://127.0.0.1:${hidden.port}/; curl -sS -m 10 http://10.0.0.1/; curl -sS http://absent.test/`,
        access,
      )
      expect(output).toMatch(/Only public addresses.+\nThe host name does not resolve\n$/)
      expect(hidden.requests).toEqual([])
      await hidden.close()
    })

    it('is absent from a command without network access', async () => {
      const before = platform.requests.length
      await fixture.run(`curl -sS -m 5 ${platform.origin}/api/me; curl -sS -m 5 http://public.test:${site.port}/`)
      expect(platform.requests).toHaveLength(before)
    })
  })
}

describe.skipIf(!isAvailable('bubblewrap'))('the network of a bubblewrap sandbox', () => {
  let fixture: NetworkFixture
  beforeAll(async () => {
    fixture = await openNetworkFixture('bubblewrap', { reach: 'public', internet: internet() })
  })
  afterAll(() => fixture.close())

  it('gives access to hosts through a tunnel', async () => {
    const { output } = await fixture.run(`curl -sS --proxytunnel http://public.test:${site.port}/tunnel`, access)
    expect(output).toBe('site saw GET /tunnel\n')
  })

  it('lets git access the platform at its public URL with the key as a password', async () => {
    const secured = createPlatformAccess('https://platform.test', platform)
    const { output } = await fixture.run(
      'git ls-remote https://platform.test/git/team/work.git 2>&1; echo "$PLATFORM_API_URL"; git config -l',
      secured,
      {
        PLATFORM_API_URL: 'https://platform.test',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'a.b',
        GIT_CONFIG_VALUE_0: 'c',
      },
    )
    expect(output).toContain('\nhttp://platform.test\n')
    expect(output).toContain('a.b=c')
    expect(output).not.toContain(runSecret)
    expect(readLast(platform)).toMatchObject({
      url: '/git/team/work.git/info/refs?service=git-upload-pack',
      headers: { host: 'platform.test', authorization: `Basic ${Buffer.from(`run:${runSecret}`).toString('base64')}` },
    })
  })

  it('can be used by Node, Python and a local server of the command', async () => {
    const address = `${platform.origin}/api/node`
    const node = await fixture.run(`node -e "fetch('${address}').then((r) => r.text()).then(console.log)"`, access)
    expect(node.output).toContain('{"path":"/api/node"}')
    const startServer = `node -e "require('http').createServer((q, s) => s.end('own')).listen(4321)" & 
      for i in $(seq 100); do curl -sf http://localhost:4321/ && break; sleep 0.1; done; kill %1`
    expect((await fixture.run(startServer, access)).output).toContain('own')
    const python = `command -v python3 > /dev/null || exit 9
      python3 -c "import urllib.request as u; print(u.urlopen('http://public.test:${site.port}/py').read().decode())"`
    const { exitCode, output } = await fixture.run(python, access)
    if (exitCode !== 9) expect(output).toContain('site saw GET /py')
  })

  it('streams a response as it arrives', async () => {
    let release: (() => void) | undefined
    const slow = await startRecorder((_, response) => {
      response.write('first\n')
      release = () => response.end('second\n')
    })
    const chunks: string[] = []
    const execution = fixture.sandbox.exec(`curl -sSN ${slow.origin}/`, {
      timeoutMs: 20_000,
      maxOutputBytes: 10_000,
      network: createPlatformAccess(slow.origin, slow),
      onOutput: (chunk) => chunks.push(chunk),
    })
    await eventually('the first line', async () => (chunks.join('') === 'first\n' ? true : undefined))
    release?.()
    expect((await execution).output).toBe('first\nsecond\n')
    await slow.close()
  })

  it('remains available to a detached command until the sandbox stops', async () => {
    const beat = `while true; do curl -s ${platform.origin}/beat > /dev/null; sleep 0.1; done`
    await fixture.sandbox.execDetached?.(beat, { watchMs: 300, network: access })
    const countBeats = (): number => platform.requests.filter(({ url }) => url === '/beat').length
    const beats = countBeats()
    await eventually('more beats', async () => (countBeats() > beats + 2 ? true : undefined))
    await fixture.sandbox.stop()
    const last = countBeats()
    expect((await fixture.run('ls -A /run 2>&1')).output).not.toContain('proxy')
    expect(countBeats()).toBe(last)
  })

  it('is restored for a detached command after a deploy, without the key of its run', async () => {
    const beat = `while true; do curl -s ${platform.origin}/deployed > /dev/null; sleep 0.1; done`
    await fixture.sandbox.execDetached?.(beat, { watchMs: 300, network: access })
    const countBeats = (): RecordedRequest[] => platform.requests.filter(({ url }) => url === '/deployed')
    await eventually('a beat', async () => (countBeats().length > 0 ? true : undefined))
    // Simulates the end of the worker.
    const networkFolder = join(fixture.root, 'bench', 'network')
    for (const folder of await readdir(networkFolder)) await rm(join(networkFolder, folder, 'proxy'))
    await pause(500)
    const beats = countBeats().length
    const next = await createBubblewrapSandboxes({ root: fixture.root, network: { reach: 'public' } })
    const sandbox = await next.open(fixture.sandbox.state)
    await sandbox.exec('true', { timeoutMs: 20_000, maxOutputBytes: 1000, network: access })
    await eventually('a beat after the deploy', async () => (countBeats().length > beats ? true : undefined))
    expect(countBeats()[0]?.headers).toMatchObject({ 'x-api-key': runSecret })
    expect(countBeats().at(-1)?.headers).not.toHaveProperty('x-api-key')
    await sandbox.stop()
    expect(await readdir(networkFolder).catch(() => [])).toEqual([])
    await fixture.sandbox.stop()
  })

  it('does not change the exit code or the child processes of a command', async () => {
    expect(await fixture.run('exit 3', access)).toMatchObject({ exitCode: 3, output: '' })
    expect(await fixture.run('kill -9 $$', access)).toMatchObject({ exitCode: 137 })
    const waits = `exec perl -e 'my $n = 0; $n++ while wait != -1; print "waited for $n"'`
    expect((await fixture.run(waits, access)).output).toBe('waited for 0')
  })
})

describe.skipIf(!isAvailable('bubblewrap'))('the bridge in a sandbox', () => {
  it.each(['perl', 'node'] as const)('that runs in %s ends when every other process has ended', async (interpreter) => {
    const args = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--info-fd', '3', '--']
    const program = wrapInBridge(['/bin/sh', '-c', 'exit 3'], [61_080], interpreter)
    const child = spawn('bwrap', [...args, ...program], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    const info = text(child.stdio[3] as Readable)
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(3)
    const { 'child-pid': first } = JSON.parse(await info) as { 'child-pid': number }
    await eventually('the end of the bridge', async () => (existsSync(`/proc/${first}`) ? undefined : true))
  })
})

describe.skipIf(!isAvailable('bubblewrap'))('a deployment that restricts network access', () => {
  it('lets sandboxes reach only the platform', async () => {
    const fixture = await openNetworkFixture('bubblewrap', { reach: 'platform', internet: internet() })
    const before = site.requests.length
    const { output } = await fixture.run(
      `curl -sS ${platform.origin}/api/me; curl -sS http://public.test:${site.port}/; curl -sS -p http://public.test:${site.port}/`,
      access,
    )
    expect(output).toContain('{"path":"/api/me"}')
    expect(output).toContain('Only the platform can be reached from here')
    expect(site.requests).toHaveLength(before)
    await fixture.close()
  })

  it('lets sandboxes reach no host', async () => {
    const fixture = await openNetworkFixture('bubblewrap', { reach: 'none' })
    const before = platform.requests.length
    const { output } = await fixture.run(`curl -sS -m 5 ${platform.origin}/api/me; env`, access)
    expect(output).not.toMatch(/proxy/i)
    expect(platform.requests).toHaveLength(before)
    await fixture.close()
  })
})
