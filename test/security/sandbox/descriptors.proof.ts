import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localDrivers } from '../../providers/sandbox/contract.ts'
import type { Report } from './descriptor-probe.ts'

const run = promisify(execFile)
const probe = fileURLToPath(new URL('descriptor-probe.ts', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A shell that starts a program with a folder and files of the host open, like a process that holds a lock. */
const inheriting = 'exec 3< "$0" 9< "$0/secret" 10< "$0/secret" 17< "$0/secret" 200< "$0" 201>> "$0/lock"; exec "$@"'

let planted: string
beforeAll(async () => {
  planted = await realpath(await mkdtemp(join(tmpdir(), 'backline-descriptors-')))
  await writeFile(join(planted, 'secret'), 'a secret of the host')
})
afterAll(() => rm(planted, { recursive: true, force: true }))

const startInheriting = async (args: string[]): Promise<string> => {
  const argv = ['-c', inheriting, planted, process.execPath, ...args]
  return (await run('bash', argv, { cwd: root, maxBuffer: 10_000_000 })).stdout
}

for (const { name, available, reason } of await localDrivers())
  describe.skipIf(!available)(available ? name : `${name} (skipped: ${reason})`, () => {
    let report: Report
    beforeAll(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'backline-sandboxes-'))
      report = JSON.parse(await startInheriting(['--import', 'tsx', probe, name, folder, planted])) as Report
      await rm(folder, { recursive: true })
    })

    it('is started with open descriptors of the host', () => {
      expect(report.inherited).toEqual(expect.arrayContaining([planted, `${planted}/secret`, `${planted}/lock`]))
    })

    it.runIf(name === 'bubblewrap').each(['exec', 'input', 'detached'] as const)(
      'passes none of them to a command (%s)',
      (mode) => {
        const seen = report.bubblewrap?.[mode]
        expect(seen).toMatch(/ 0 -> (pipe|\/dev\/null)/)
        expect(seen).not.toContain(planted)
        expect(seen).not.toMatch(/ (17|200|201) -> /)
      },
    )

    it.runIf(name === 'bubblewrap')('reads, writes and finds nothing through them', () => {
      expect(report.bubblewrap).toMatchObject({
        read: 'File not found',
        write: expect.not.stringContaining('no refusal'),
        glob: 'Path not found',
      })
      expect(report.bubblewrap?.folder).not.toContain('planted')
    })

    it.runIf(name === 'just-bash')('passes none of them to the process of a command', () => {
      expect(report.justBash?.exec).toHaveLength(1)
      for (const { links } of report.justBash?.exec ?? []) expect(links.join()).not.toContain(planted)
    })

    it('passes none of them to the snapshot packer', () => {
      const packer = name === 'bubblewrap' ? /^tar / : /just-bash-archive-child/
      const packers = report.packing.filter(({ command }) => packer.test(command))
      expect(packers.length).toBeGreaterThan(0)
      for (const { links } of packers) expect(links.join()).not.toContain(planted)
    })
  })

it('passes none of them to the programs that the supervisor starts', async () => {
  await writeFile(join(planted, 'package.json'), '{"type":"module"}')
  const script = join(planted, 'list.ts')
  await writeFile(
    script,
    `import { spawnSync } from 'node:child_process'
    export const main = () => void spawnSync('ls', ['-l', '/proc/self/fd'], { stdio: 'inherit' })`,
  )
  const listed = await startInheriting(['dev/bootstrap.mjs', relative(root, script)])
  expect(listed).toContain(' 0 -> ')
  expect(listed).not.toContain(planted)
})
