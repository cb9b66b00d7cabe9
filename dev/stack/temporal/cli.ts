import { spawnSync } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buildCli, cachedCli, cliVersion, downloadUrl, findGo, serverVersion } from '../../temporal/build.mjs'
import { searchEnvironment } from '../../../providers/bare-environment.ts'
import { makeOnce } from '../make-once.ts'
import { readMessage, CommandRefusedError, type Print } from '../../say.ts'

export { cliVersion, findGo }

/** Finds an installed CLI: from the setting, PATH or the cache, in this order. */
export function findCli(setting: string | undefined): { path: string; source: string } | undefined {
  if (setting) {
    if (readVersion(setting) === undefined)
      throw new CommandRefusedError(
        `TEMPORAL_CLI (${setting}) does not run: set it to the path of a Temporal CLI, or unset it.`,
      )
    return { path: setting, source: 'TEMPORAL_CLI' }
  }
  if (isPinned(readVersion('temporal'))) return { path: 'temporal', source: 'PATH' }
  if (existsSync(cachedCli()) && isPinned(readVersion(cachedCli()))) return { path: cachedCli(), source: 'cache' }
  return undefined
}

/** Returns the path of the Temporal CLI. Downloads or builds it if it is missing; concurrent starts do so only once. */
export async function ensureCli(setting: string | undefined, print: Print): Promise<string> {
  const installed = findCli(setting)
  if (installed) return installed.path
  return makeOnce(
    { path: cachedCli(), name: 'the Temporal CLI', find: () => findCli(undefined)?.path, make: () => install(print) },
    print,
  )
}

/** Returns the output of `--version`; undefined if the file does not run. */
function readVersion(file: string): string | undefined {
  const { status, stdout } = spawnSync(file, ['--version'], {
    encoding: 'utf8',
    env: searchEnvironment,
    timeout: 20_000,
  })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * Returns whether a version is the pinned release. Release builds contain its version, and builds from source contain the
 * server version.
 */
function isPinned(version: string | undefined): boolean {
  return (
    version !== undefined && version.includes(`Server ${serverVersion}`) && /version (1\.8\.2|0\.0\.0)/.test(version)
  )
}

/** Downloads the CLI, or builds it if the download fails, and moves it into the cache atomically. */
async function install(print: Print): Promise<string> {
  const folder = `${cachedCli()}.new`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const errors: string[] = []
  try {
    for (const [name, source] of [
      ['the download', download],
      ['the build', build],
    ] as const) {
      try {
        const file = await source(folder, print)
        await chmod(file, 0o755)
        if (!isPinned(readVersion(file)))
          throw new Error(`it is not version ${cliVersion} or does not run on this machine`)
        await rename(file, cachedCli())
        return cachedCli()
      } catch (error) {
        const cause = error instanceof Error && error.cause ? `: ${readMessage(error.cause)}` : ''
        errors.push(`${name}: ${readMessage(error)}${cause}`)
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  throw new CommandRefusedError(
    `Installing the Temporal CLI failed (${errors.join('; ')}): install Go (https://go.dev/dl), or set TEMPORAL_CLI to a Temporal CLI ${cliVersion}, or TEMPORAL_ADDRESS to a running server.`,
  )
}

/** Downloads the release. Fails if the response does not start within 5 s or is not complete within 3 min. */
async function download(folder: string, print: Print): Promise<string> {
  const headersDeadline = new AbortController()
  const timer = setTimeout(() => headersDeadline.abort(new Error('no response within 5 s')), 5000)
  const response = await fetch(downloadUrl(), {
    signal: AbortSignal.any([headersDeadline.signal, AbortSignal.timeout(180_000)]),
  }).finally(() => clearTimeout(timer))
  if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`)
  print(`Downloading the Temporal CLI ${cliVersion} …`)
  const archive = join(folder, 'archive.tar.gz')
  await pipeline(Readable.fromWeb(response.body), createWriteStream(archive))
  const unpacked = spawnSync('tar', ['-xzf', archive, '-C', folder, 'temporal'], {
    encoding: 'utf8',
    env: searchEnvironment,
  })
  if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr}`)
  return join(folder, 'temporal')
}

async function build(folder: string, print: Print): Promise<string> {
  if (findGo() === undefined) throw new Error('Go is not installed')
  print(`Building the Temporal CLI ${cliVersion} with Go: only once on this machine, a few minutes …`)
  const file = join(folder, 'temporal')
  await buildCli(file, print).done
  return file
}
