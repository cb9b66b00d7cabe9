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

/** Shell script that starts a program with open descriptors of host files, such as a lock file. */
const openDescriptorsScript =
  'exec 3< "$0" 9< "$0/secret" 10< "$0/secret" 17< "$0/secret" 200< "$0" 201>> "$0/lock"; exec "$@"'

let hostFolder: string
beforeAll(async () => {
  hostFolder = await realpath(await mkdtemp(join(tmpdir(), 'backline-descriptors-')))
  await writeFile(join(hostFolder, 'secret'), 'a secret of the host')
})
afterAll(() => rm(hostFolder, { recursive: true, force: true }))

const runWithDescriptors = async (args: string[]): Promise<string> => {
  const argv = ['-c', openDescriptorsScript, hostFolder, process.execPath, ...args]
  return (await run('bash', argv, { cwd: root, maxBuffer: 10_000_000 })).stdout
}

for (const { name, available, reason } of await localDrivers())
  describe.skipIf(!available)(available ? name : `${name} (skipped: ${reason})`, () => {
    let report: Report
    beforeAll(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'backline-sandboxes-'))
      report = JSON.parse(await runWithDescriptors(['--import', 'tsx', probe, name, folder, hostFolder])) as Report
      await rm(folder, { recursive: true })
    })

    it('inherits open descriptors of the host in this test', () => {
      expect(report.inherited).toEqual(
        expect.arrayContaining([hostFolder, `${hostFolder}/secret`, `${hostFolder}/lock`]),
      )
    })

    it.runIf(name === 'bubblewrap').each(['exec', 'input', 'detached'] as const)(
      'passes no host descriptor to a command started with %s',
      (mode) => {
        const processView = report.bubblewrap?.[mode]
        expect(processView).toMatch(/ 0 -> (pipe|\/dev\/null)/)
        expect(processView).not.toContain(hostFolder)
        expect(processView).not.toMatch(/ (17|200|201) -> /)
      },
    )

    it.runIf(name === 'bubblewrap')('reads, writes and finds no file through host descriptors', () => {
      expect(report.bubblewrap).toMatchObject({
        read: 'File not found',
        write: expect.not.stringContaining('no refusal'),
        glob: 'Path not found',
      })
      expect(report.bubblewrap?.folder).not.toContain('planted')
    })

    it.runIf(name === 'just-bash')("passes no host descriptor to a command's process", () => {
      expect(report.justBash?.exec).toHaveLength(1)
      for (const { links } of report.justBash?.exec ?? []) expect(links.join()).not.toContain(hostFolder)
    })

    it('passes no host descriptor to the snapshot packer', () => {
      const packer = name === 'bubblewrap' ? /^tar / : /just-bash-archive-child/
      const packers = report.packing.filter(({ command }) => packer.test(command))
      expect(packers.length).toBeGreaterThan(0)
      for (const { links } of packers) expect(links.join()).not.toContain(hostFolder)
    })
  })

it('the supervisor passes no host descriptor to its programs', async () => {
  await writeFile(join(hostFolder, 'package.json'), '{"type":"module"}')
  const script = join(hostFolder, 'list.ts')
  await writeFile(
    script,
    `import { spawnSync } from 'node:child_process'
    export const main = () => void spawnSync('ls', ['-l', '/proc/self/fd'], { stdio: 'inherit' })`,
  )
  const listed = await runWithDescriptors(['dev/bootstrap.mjs', relative(root, script)])
  expect(listed).toContain(' 0 -> ')
  expect(listed).not.toContain(hostFolder)
})
