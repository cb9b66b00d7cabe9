import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** A `go` that tells of a download and two packages, and then does this. */
const haveGo = (end: string) =>
  writeFile(
    join(folder, 'go'),
    `#!/bin/sh\necho 'go: downloading some/module v1.0.0' >&2\necho some/package >&2\necho other/package >&2\n${end}\n`,
    { mode: 0o755 },
  )

it('a build says how many of all packages are done, and goes on from there when it was stopped', async () => {
  const lines: string[] = []
  const hasSaid = (text: string) => waitFor(() => lines.at(-1)?.includes(text), 60_000)
  await haveGo('exec sleep 60')
  const first = buildCli(devNull, (line) => lines.push(line), 10)
  expect(await hasSaid('2 of about 1,700 packages: other/package')).toBe(true)
  first.stop()
  await expect(first.done).rejects.toThrow('go build failed: other/package')

  const second = buildCli(devNull, (line) => lines.push(line), 10)
  expect(await hasSaid('4 of about 1,700 packages: other/package')).toBe(true)
  second.stop()
  await expect(second.done).rejects.toThrow('go build failed')
})

it('what is built is not counted again', async () => {
  await haveGo('exit 0')
  await buildCli(devNull, () => {}, 10).done
  const lines: string[] = []
  await haveGo('exec sleep 60')
  const build = buildCli(devNull, (line) => lines.push(line), 10)
  expect(await waitFor(() => lines.at(-1)?.includes('2 of about'), 60_000)).toBe(true)
  build.stop()
  await expect(build.done).rejects.toThrow('go build failed')
})
