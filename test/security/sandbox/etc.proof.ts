import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEtc } from '../../../providers/sandbox/bubblewrap/etc.ts'
import { limits, localDrivers, useSandboxFixture } from '../../providers/sandbox/contract.ts'
import { cloudDrivers } from '../../providers/vendors/drivers.ts'
import { runInSandbox } from '../../tools/run-tool.ts'

const secret = 'a secret of the host'
const createCertificate = (name: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(name).toString('base64')}\n-----END CERTIFICATE-----\n`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-etc-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const getHostFolder = (): string => join(folder, 'host')

const writeHostFile = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(getHostFolder(), path)), { recursive: true })
  await writeFile(join(getHostFolder(), path), text)
}

describe('the /etc folder of sandboxes', () => {
  it('contains only the host files that programs need', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`
    await writeHostFile(
      'ssl/certs/ca-certificates.crt',
      `# ${secret}\n${createCertificate('root')}${key}${createCertificate('company')}`,
    )
    await writeHostFile('ssl/certs/11111111.0', createCertificate('root'))
    await writeHostFile('ssl/certs/22222222.0', createCertificate(hostname()))
    await writeHostFile('ssl/certs/33333333.0', `${key}${createCertificate('company')}`)
    await writeHostFile('ssl/certs/haproxy.pem', key)
    await writeHostFile('ssl/openssl.cnf', `input_password = ${secret}`)
    await writeHostFile('ca-certificates/update.d/hook', secret)
    for (const path of [
      'passwd',
      'group',
      'hosts',
      'hostname',
      'machine-id',
      'shadow',
      'ssl/private/key.pem',
      'gitconfig',
    ])
      await writeHostFile(path, secret)
    for (const path of ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d/a.conf', 'mime.types', 'localtime'])
      await writeHostFile(path, path)
    await writeHostFile('ld.so.conf.d/a.secret', secret)
    await writeHostFile('alternatives/file', secret)
    await symlink('/usr/bin/mawk', join(getHostFolder(), 'alternatives/awk'))
    await symlink('/usr/share/man/mawk.1.gz', join(getHostFolder(), 'alternatives/awk.1.gz'))
    await symlink('/root/bin/tool', join(getHostFolder(), 'alternatives/tool'))
    const root = join(folder, 'root')
    await mkdir(root)
    const etc = await (await createEtc(root, getHostFolder()))()
    const entries = await readdir(etc, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
    expect(files.map((path) => path.slice(etc.length + 1)).sort()).toEqual([
      'alternatives/awk',
      'group',
      'hosts',
      'ld.so.cache',
      'ld.so.conf',
      'ld.so.conf.d/a.conf',
      'localtime',
      'mime.types',
      'nsswitch.conf',
      'os-release',
      'passwd',
      'pki/tls/certs/ca-bundle.crt',
      'ssl/cert.pem',
      'ssl/certs/11111111.0',
      'ssl/certs/33333333.0',
      'ssl/certs/ca-certificates.crt',
      'ssl/openssl.cnf',
    ])
    for (const entry of entries.filter((entry) => entry.isFile())) {
      const text = await readFile(join(entry.parentPath, entry.name), 'utf8')
      expect(text, entry.name).not.toContain(secret)
      expect(text, entry.name).not.toContain('PRIVATE KEY')
    }
    expect(await readFile(join(etc, 'ssl/certs/ca-certificates.crt'), 'utf8')).toBe(
      `${createCertificate('root')}${createCertificate('company')}`,
    )
  })

  it('is shared, recreated when it is missing, and deleted after a day without use', async () => {
    const root = join(folder, 'shared')
    await mkdir(root)
    const first = await (await createEtc(root, getHostFolder()))()
    expect(await (await createEtc(root, getHostFolder()))()).toBe(first)
    expect((await stat(first)).mode & 0o777).toBe(0o755)
    await writeHostFile('ld.so.cache', 'changed')
    const oldTime = new Date(Date.now() - 48 * 60 * 60 * 1000)
    await utimes(first, oldTime, oldTime)
    const second = await (await createEtc(root, getHostFolder()))()
    expect(await readdir(root)).toEqual([second.slice(root.length + 1)])
  })
})

const local = await localDrivers()
for (const driver of [...local, ...cloudDrivers(local)]) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`

  describe.skipIf(!driver.available)(`absolute paths in ${title}`, () => {
    const fixture = useSandboxFixture(driver)

    it('refer to the sandbox in file functions as well as in commands', async () => {
      const planted = join(folder, 'planted')
      await mkdir(planted, { recursive: true })
      await writeFile(join(planted, 'file'), secret)
      for (const path of [join(planted, 'file'), '/etc/shadow', '/etc/machine-id', '/etc/hostname', '/etc/gitconfig'])
        await expect(fixture.sandbox.readFile(path, { maxBytes: 100_000 }), path).rejects.toThrow('File not found')
      const absent = { success: false, error: 'Path not found' }
      const patterns = { pattern: '.', path: planted, caseSensitive: true }
      expect(await runInSandbox(fixture.sandbox, 'grep', patterns)).toEqual(absent)
      expect(await runInSandbox(fixture.sandbox, 'glob', { pattern: `${planted}/*`, limit: 10 })).toEqual(absent)
      const visible = (await fixture.sandbox.exec('cat /etc/passwd 2>/dev/null', limits)).output
      const read = await fixture.sandbox.readFile('/etc/passwd', { maxBytes: 100_000 }).then(
        (bytes) => Buffer.from(bytes).toString(),
        () => '',
      )
      expect(read).toBe(visible)
      expect(read).not.toBe(await readFile('/etc/passwd', 'utf8'))
    })
  })
}
