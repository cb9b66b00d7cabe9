import { spawn } from 'node:child_process'
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits, localDrivers, useSandboxFixture } from '../contract.ts'
import { eventually } from '../../../world/world.ts'

const secret = 'a secret of the host'

for (const driver of await localDrivers()) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  const isBubblewrap = driver.name === 'bubblewrap'

  describe.skipIf(!driver.available)(`attacks of an agent in ${title}`, () => {
    const fixture = useSandboxFixture(driver)
    const plantHostFile = async (): Promise<string> => {
      const path = join(fixture.root, 'host-secret.txt')
      await writeFile(path, secret)
      return path
    }
    const workspace = (): string => join(fixture.root, 'bench', 'workspace')

    it('read no file of the host', async () => {
      const hidden = [await plantHostFile(), '/etc/shadow', process.cwd(), homedir(), join(fixture.root, 'bench')]
      for (const path of hidden) {
        const { exitCode, output } = await fixture.sandbox.exec(`cat "${path}" || ls "${path}"`, limits)
        expect(exitCode, path).not.toBe(0)
        expect(output, path).not.toContain(secret)
      }
      const { output } = await fixture.sandbox.exec('find / -name "receipts" -o -name "meta.json" 2>/dev/null', limits)
      expect(output).not.toContain('bench')
    })

    it('read no environment variable of the host', async () => {
      process.env['BACKLINE_TEST_SECRET'] = secret
      try {
        const output = await fixture.run('env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"')
        expect(output).not.toContain(secret)
        expect(output).not.toContain('VITEST')
      } finally {
        delete process.env['BACKLINE_TEST_SECRET']
      }
    })

    it('neither see nor end a process of the host', async () => {
      const bystander = spawn('sleep', ['30'], { stdio: 'ignore' })
      await fixture.run(`kill -9 ${bystander.pid}; kill -9 ${process.pid}; kill -9 -1`)
      expect(bystander.exitCode).toBeNull()
      expect(bystander.signalCode).toBeNull()
      bystander.kill()
      const output = await fixture.run('for p in /proc/[0-9]*; do echo $p; done | wc -l')
      expect(Number(output)).toBeLessThan(10)
    })

    it('reach no host file through a link that they plant', async () => {
      const path = await plantHostFile()
      await fixture.run(`ln -s "${path}" planted-file; ln -s "${fixture.root}" planted-folder`)
      // Simulates links that the command created in another way.
      await symlink(path, join(workspace(), 'forced-file')).catch(() => {})
      await symlink(fixture.root, join(workspace(), 'forced-folder')).catch(() => {})
      for (const link of [
        'planted-file',
        'forced-file',
        'planted-folder/host-secret.txt',
        'forced-folder/host-secret.txt',
      ])
        await expect(fixture.sandbox.readFile(link, { maxBytes: 1000 }), link).rejects.toThrow()
      for (const link of ['forced-file', 'forced-folder/new.txt', 'forced-folder/bench/meta.json'])
        await fixture.sandbox.writeFiles([{ path: link, content: 'pwned' }]).catch(() => {})
      expect(await readdir(fixture.root)).not.toContain('new.txt')
      expect(await readFile(path, 'utf8')).toBe(secret)
      expect(await readFile(join(fixture.root, 'bench', 'meta.json'), 'utf8')).not.toContain('pwned')
    })

    it('cannot make the removal of a sandbox delete a host file', async () => {
      const outsideFolder = join(fixture.root, 'kept')
      await mkdir(outsideFolder, { recursive: true })
      await writeFile(join(outsideFolder, 'file'), secret)
      const linkingSandbox = await fixture.port.create({
        name: 'linking',
        timeoutMs: 60_000,
        gitIdentity: { name: 'a', email: 'a@b.c' },
      })
      await symlink(outsideFolder, join(fixture.root, 'linking', 'workspace', 'link'))
      await linkingSandbox.destroy()
      expect(await readdir(outsideFolder)).toEqual(['file'])
    })

    it('are limited in the number of processes', async () => {
      const forkBomb = await fixture.sandbox.exec('bomb() { bomb | bomb & }; bomb; sleep 2; echo end', {
        ...limits,
        timeoutMs: 6000,
      })
      expect(forkBomb.exitCode).not.toBeUndefined()
      expect(await fixture.run('echo alive')).toBe('alive\n')
    })

    it('are limited in memory', async () => {
      const allocation = await fixture.sandbox.exec(
        isBubblewrap
          ? `node -e 'const all = []; for (;;) all.push(Buffer.alloc(64 * 1024 * 1024, 1))'`
          : 'a=xxxxxxxxxxxxxxxx; while true; do a="$a$a"; done',
        { ...limits, timeoutMs: 25_000 },
      )
      expect(allocation.exitCode).not.toBe(0)
      expect(await fixture.run('echo alive')).toBe('alive\n')
    })

    it('are limited in the amount of output', async () => {
      const flood = await fixture.sandbox.exec('while true; do echo 0123456789012345678901234567890123456789; done', {
        ...limits,
        maxOutputBytes: 50_000,
      })
      expect(Buffer.byteLength(flood.output)).toBeLessThanOrEqual(50_000)
      expect(flood.exitCode).not.toBe(0)
    })

    it('reach no network', async () => {
      let requestCount = 0
      const server = createServer((_, response) => {
        requestCount++
        response.end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      await fixture.run(
        `curl -s -m 2 http://127.0.0.1:${port}; echo x > /dev/tcp/127.0.0.1/${port}; curl -s -m 2 http://169.254.169.254/`,
      )
      expect(requestCount).toBe(0)
      await new Promise((resolve) => server.close(resolve))
    })

    it('write only to the folders of the sandbox', async () => {
      const output = await fixture.run(
        'for d in / /usr /etc /dev /proc/sys; do touch $d/mine && echo "$d is open"; done',
      )
      if (isBubblewrap) expect(output).not.toContain('is open')
      expect(await fixture.run('ls /usr/mine /etc/mine /mine 2>/dev/null')).toBe('')
    })

    it.skipIf(!isBubblewrap)('leave no process behind when the call ends', async () => {
      const beats = 'setsid sh -c "while true; do date > next && mv next beat; sleep 0.1; done" >/dev/null 2>&1'
      await fixture.run(`${beats} & until test -s beat; do sleep 0.1; done`)
      const first = await fixture.run('cat beat')
      expect(first).not.toBe('')
      // The absence of beats has no event to wait for. Twelve beats would occur in this pause.
      await new Promise((resolve) => setTimeout(resolve, 1200))
      expect(await fixture.run('cat beat')).toBe(first)
    })

    it.skipIf(!isBubblewrap)('cannot make the file functions open a device, a pipe or a folder', async () => {
      await fixture.run('mkfifo pipe; ln -s /dev/zero zero')
      for (const path of ['pipe', 'zero', '/dev/null', '/dev/random']) {
        await expect(fixture.sandbox.readFile(path, { maxBytes: 1000 })).rejects.toThrow('Not a regular file')
        await expect(fixture.sandbox.writeFiles([{ path, content: 'x' }])).rejects.toThrow('Not a regular file')
      }
    })

    it.skipIf(!isBubblewrap)('have no privileges to change their isolation', async () => {
      const output = await fixture.run(
        'grep -E "CapEff|NoNewPrivs" /proc/self/status; unshare -U true 2>&1; mount -t tmpfs x /tmp 2>&1; id -u',
      )
      expect(output).toMatch(/CapEff:\s+0{16}/)
      expect(output).toMatch(/NoNewPrivs:\s+1/)
      expect(output).toContain('unshare failed')
      expect(output).not.toMatch(/^0$/m)
    })

    it.skipIf(!isBubblewrap)('cannot keep a detached command running after the sandbox stops', async () => {
      const sandbox = await fixture.port.create({
        name: 'detached',
        timeoutMs: 60_000,
        gitIdentity: { name: 'a', email: 'a@b.c' },
      })
      const detachedCommand = await sandbox.execDetached?.(
        'while true; do date +%s%N > next && mv next beat; sleep 0.1; done',
        {
          watchMs: 500,
        },
      )
      expect(detachedCommand).toMatchObject({ exitCode: null })
      const beat = async (): Promise<string> => (await sandbox.exec('cat beat', limits)).output
      const first = await beat()
      await eventually('the next beat', async () => ((await beat()) === first ? undefined : true))
      await sandbox.stop()
      const last = await beat()
      // The absence of beats has no event to wait for.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      expect(await beat()).toBe(last)
      expect(await sandbox.execDetached?.('echo broken; exit 4', { watchMs: 2000 })).toMatchObject({
        exitCode: 4,
        output: 'broken\n',
      })
      await sandbox.destroy()
    })
  })
}
