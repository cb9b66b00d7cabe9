import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitFor } from '../../dev/processes/processes.ts'
import { buildCli } from '../../dev/temporal/build.mjs'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-go-'))
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  vi.stubEnv('XDG_CACHE_HOME', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const archives = ['common/archiver/gcloud', 'common/archiver/s3store']
const search = 'common/persistence/visibility/store/elasticsearch/client'
const providers = 'wci/workflow/compute_provider'
const sources = [
  ...archives.flatMap((archive) => [`${archive}/archiver.go`, `${archive}/util.go`, `${archive}/util_test.go`]),
  `${search}/aws.go`,
  `${search}/client.go`,
  `${providers}/k8s.go`,
  `${providers}/registry.go`,
]

/** Installs a fake `go` that reports a download and two packages and then runs `end`. */
const installGo = async (end: string): Promise<void> => {
  for (const source of sources) {
    const path = join(folder, 'module', source)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, '')
  }
  const script = `#!/bin/sh
if [ "$1" = mod ]; then echo '{"Dir": "${folder}/module"}'; exit; fi
while [ "$1" != -modfile ]; do shift; done
rm -rf "${folder}/read" && cp -R "$(dirname "$2")" "${folder}/read"
echo 'go: downloading some/module v1.0.0' >&2
echo some/package >&2
echo other/package >&2
${end}
`
  await writeFile(join(folder, 'go'), script, { mode: 0o755 })
}

it('a build reports its progress in packages, and continues after a stop', async () => {
  const lines: string[] = []
  const hasPrinted = (text: string) => waitFor(() => lines.at(-1)?.includes(text), 60_000)
  await installGo('exec sleep 60')
  const first = buildCli(devNull, (line) => lines.push(line), 10)
  expect(await hasPrinted('2 of about 1,050 packages: other/package')).toBe(true)
  first.stop()
  await expect(first.done).rejects.toThrow('go build failed: other/package')

  const second = buildCli(devNull, (line) => lines.push(line), 10)
  expect(await hasPrinted('4 of about 1,050 packages: other/package')).toBe(true)
  second.stop()
  await expect(second.done).rejects.toThrow('go build failed')
})

it('a build does not count the packages of a completed build', async () => {
  await installGo('exit 0')
  await buildCli(devNull, () => {}, 10).done
  const lines: string[] = []
  await installGo('exec sleep 60')
  const build = buildCli(devNull, (line) => lines.push(line), 10)
  expect(await waitFor(() => lines.at(-1)?.includes('2 of about'), 60_000)).toBe(true)
  build.stop()
  await expect(build.done).rejects.toThrow('go build failed')
})

it('cloud drivers are replaced by stubs or omitted from the build', async () => {
  await installGo('exit 0')
  await buildCli(devNull, () => {}, 10).done
  const read = join(folder, 'read')
  expect(await readdir(join(read, 'server', archives[0]!))).toEqual(['gcloud.go'])
  expect(await readdir(join(read, 'server', archives[1]!))).toEqual(['s3store.go'])
  expect((await readdir(join(read, 'server', search))).sort()).toEqual(['client.go', 'elasticsearch_aws.go'])
  expect(await readdir(join(read, 'auto-scaled-workers', providers))).toEqual(['registry.go'])
  const modules = await readFile(join(read, 'go.mod'), 'utf8')
  expect(modules).toMatch(/^replace go\.temporal\.io\/server => .*\/server$/m)
})

it('an error message of several lines is reported in full', async () => {
  await installGo(String.raw`printf 'a.go:1: missing go.sum entry; to add:\n\tgo get some/module\n' >&2; exit 1`)
  const failure = 'go build failed: a.go:1: missing go.sum entry; to add: go get some/module'
  await expect(buildCli(devNull, () => {}, 10).done).rejects.toThrow(failure)
})

const readModuleFile = (name: string) => readFile(new URL(`../../dev/temporal/${name}`, import.meta.url), 'utf8')

it('go.sum contains a checksum for every module that go.mod requires', async () => {
  const [modules, sums] = await Promise.all([readModuleFile('go.mod'), readModuleFile('go.sum')])
  const replaced = new Map(
    [...modules.matchAll(/^replace (\S+) => (\S+ v\S+)$/gm)].map((match) => [match[1], match[2]]),
  )
  const required = [...modules.matchAll(/^(?:require |\t)(\S+) (v\S+)/gm)]
  expect(required.length).toBeGreaterThan(200)
  const missing = required
    .map(([, module, version]) => replaced.get(module) ?? `${module} ${version}`)
    .filter((module) => !sums.includes(`${module} h1:`))
  expect(missing).toEqual([])
})

it('a module that cannot be downloaded is reported', async () => {
  await writeFile(join(folder, 'go'), '#!/bin/sh\necho "no such module" >&2\nexit 1\n', { mode: 0o755 })
  await expect(buildCli(devNull, () => {}, 10).done).rejects.toThrow(/go mod download .* failed: no such module/)
})
