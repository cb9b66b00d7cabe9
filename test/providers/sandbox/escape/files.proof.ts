import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gitIdentity, limits, localDrivers, useSandboxFixture } from '../contract.ts'

const secret = 'a secret of the host'
const options = { timeoutMs: 60_000, gitIdentity }

for (const driver of await localDrivers()) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  const isBubblewrap = driver.name === 'bubblewrap'

  describe.skipIf(!driver.available)(`paths and files in ${title}`, () => {
    const fixture = useSandboxFixture(driver)
    const getWorkspacePath = (name: string): string => join(fixture.root, name, 'workspace')

    it.each([
      ['upwards', '../../../../host-secret.txt'],
      ['upwards from a subfolder', 'a/../../../../host-secret.txt'],
      ['to a sibling file', '../meta.json'],
      ['to another sandbox', '../../other/workspace/theirs.txt'],
      ['with a NUL', 'file\0/../../host-secret.txt'],
      ['with a line break', 'file\n../../host-secret.txt'],
      ['that looks like an option', '--help'],
      ['that is empty', ''],
      ['that is very long', 'x/'.repeat(2500)],
      ['with a very long name', 'x'.repeat(5000)],
    ])('cannot read or write a file of the host through a path %s', async (_, path) => {
      await writeFile(join(fixture.root, 'host-secret.txt'), secret)
      const other = await fixture.port.create({ ...options, name: 'other' })
      await other.writeFiles([{ path: 'theirs.txt', content: secret }])
      const before = await readdir(fixture.root)
      await expect(fixture.sandbox.readFile(path, { maxBytes: 1000 })).rejects.toThrow()
      await fixture.sandbox.writeFiles([{ path, content: 'pwned' }]).catch(() => {})
      expect(await readdir(fixture.root)).toEqual(before)
      expect(await readFile(join(fixture.root, 'host-secret.txt'), 'utf8')).toBe(secret)
      expect(await readFile(join(fixture.root, 'bench', 'meta.json'), 'utf8')).not.toContain('pwned')
      expect(await readFile(join(getWorkspacePath('other'), 'theirs.txt'), 'utf8')).toBe(secret)
    })

    it('cannot access an absolute path of the host through the file functions', async () => {
      const path = join(fixture.root, 'host-secret.txt')
      await writeFile(path, secret)
      await expect(fixture.sandbox.readFile(path, { maxBytes: 1000 })).rejects.toThrow('File not found')
      await fixture.sandbox.writeFiles([{ path: join(fixture.root, 'planted.txt'), content: 'pwned' }]).catch(() => {})
      expect(await readdir(fixture.root)).not.toContain('planted.txt')
    })

    it('copy no host file into a snapshot and write no file to the host through a restored snapshot', async () => {
      const outsideFolder = join(fixture.root, 'kept')
      await mkdir(outsideFolder, { recursive: true })
      await writeFile(join(outsideFolder, 'file'), secret)
      const source = await fixture.port.create({ ...options, name: 'linking' })
      await symlink(outsideFolder, join(getWorkspacePath('linking'), 'folder'))
      await symlink(join(outsideFolder, 'file'), join(getWorkspacePath('linking'), 'link'))
      const { snapshotId } = await source.snapshot()
      const restored = await fixture.port.create({ ...options, name: 'linked', snapshotId })
      await restored.writeFiles([{ path: 'folder/new', content: 'pwned' }]).catch(() => {})
      for (const path of ['link', 'folder/file'])
        await expect(restored.readFile(path, { maxBytes: 1000 })).rejects.toThrow()
      expect((await restored.exec('cat link folder/file', limits)).output).not.toContain(secret)
      expect(await readdir(outsideFolder)).toEqual(['file'])
      expect(await readFile(join(outsideFolder, 'file'), 'utf8')).toBe(secret)
      await source.destroy()
      await restored.destroy()
    })

    it.skipIf(!isBubblewrap)(
      'are restored from a snapshot with pipes, hard links, sparse files, modes and unusual names',
      async () => {
        const source = await fixture.port.create({ ...options, name: 'odd' })
        const createEntries = `mkfifo pipe; echo one > first; ln first second; truncate -s 1G holes; ln -s "$PWD" self
        chmod 4755 first; mkdir -p shut; echo in > shut/file; chmod 000 shut
        mkdir "-rf" $'line\\nbreak'; echo x > $'line\\nbreak/\\\\ü '; python3 -c '' 2>/dev/null; echo made`
        expect((await source.exec(createEntries, limits)).output).toContain('made')
        const { snapshotId, sizeBytes } = await source.snapshot()
        expect(sizeBytes).toBeLessThan(10_000_000)
        const restored = await fixture.port.create({ ...options, name: 'same', snapshotId })
        const listEntries = `stat -c '%n %F %a %h' pipe first second shut; readlink self; du -k holes | cut -f1
        cat $'line\\nbreak/\\\\ü '; ls -d -- -rf; chmod 700 shut; cat shut/file`
        const expected = (await source.exec(listEntries, limits)).output
        expect((await restored.exec(listEntries, limits)).output).toBe(expected)
        expect(expected).toContain('pipe fifo')
        await source.destroy()
        await restored.destroy()
      },
    )

    it.skipIf(!isBubblewrap)('gain no privileges from a setuid program', async () => {
      const set =
        'cp /usr/bin/id mine; chmod 6755 mine; ./mine -u; find /usr/bin -perm -4000 -exec {} --help \\; | head -1'
      expect(await fixture.run(set)).not.toMatch(/^0$/m)
      expect(await fixture.run('su -c id 2>&1; sudo -n id 2>&1; echo done')).not.toContain('uid=0')
    })

    it.skipIf(!isBubblewrap)(
      'include no device that a command creates, and no accessible disk or memory device',
      async () => {
        const output = await fixture.run(`mknod disk b 8 0 && echo made; mknod memory c 1 1 && echo made
        for d in /dev/sda /dev/vda /dev/mem /dev/kmem /dev/kmsg /dev/fuse /proc/kcore; do head -c1 $d > /dev/null && echo "opened $d"; done`)
        expect(output).not.toMatch(/^made|^opened/m)
      },
    )
  })
}
