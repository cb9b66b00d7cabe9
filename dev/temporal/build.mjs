// Plain JavaScript, because it runs before the packages are installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { toolEnvironment } from '../processes/tool-environment.mjs'
import { makeSources } from './sources.mjs'

export const cliVersion = '1.8.2'
/** Release of the Temporal server that the CLI contains. */
export const serverVersion = '1.31.2'
/** Number of packages that a build for Linux compiles, including the standard library. */
const packagesInAll = 1050
const usualMs = 10_000
const folder = path.dirname(fileURLToPath(import.meta.url))

export const cacheFolder = () => path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'backline')
export const cachedCli = () => path.join(cacheFolder(), `temporal-${cliVersion}`)

/** A folder with the programs `server` and `sql`, which sets up the schema of the server. */
export const cachedServer = () => path.join(cacheFolder(), `temporal-server-${serverVersion}`)

export const downloadUrl = () => {
  const platform = { linux: 'linux', darwin: 'darwin' }[process.platform]
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch]
  return `https://temporal.download/cli/archive/v${cliVersion}?platform=${platform}&arch=${architecture}`
}

/** First line of `go version`, when there is a Go. */
export const findGo = () => {
  const env = toolEnvironment({ GOTOOLCHAIN: 'local' })
  const { status, stdout } = spawnSync('go', ['version'], { encoding: 'utf8', cwd: '/', env })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * Builds the CLI and prints its progress every ten seconds. A stopped build continues where it was, because compiled packages
 * stay in Go's cache. `done` rejects if the build fails.
 */
export const buildCli = (output, print, everyMs = usualMs) =>
  buildPrograms({ output, packages: ['github.com/temporalio/cli/cmd/temporal'] }, print, everyMs)

/** Builds the server on its own and its schema tool into a folder. After a build of the CLI this takes seconds. */
export const buildServer = (folder, print) => {
  const packages = ['cmd/server', 'cmd/tools/sql'].map((name) => `go.temporal.io/server/${name}`)
  return buildPrograms({ output: `${folder}${path.sep}`, packages }, print, usualMs)
}

const buildPrograms = ({ output, packages }, print, everyMs) => {
  const stopping = new AbortController()
  const scratch = mkdtempSync(path.join(tmpdir(), 'backline-go-'))
  const count = countPackages()
  const begin = Date.now()
  let lastLine = ''
  let rest = ''
  const hear = (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('\t')) lastLine += ` ${line.trim()}`
      else lastLine = line || lastLine
      if (!line.startsWith('go: ')) count.add()
    }
  }
  const progress = setInterval(
    () => print(`  ${Math.round((Date.now() - begin) / 1000)} s, ${count.text()}: ${lastLine.slice(0, 80)}`),
    everyMs,
  )
  const stop = () => stopping.abort()
  const clear = () => rmSync(scratch, { recursive: true, force: true })
  const leave = () => {
    stop()
    clear()
  }
  process.once('exit', leave)
  const build = async () => {
    const modules = await makeSources(scratch, stopping.signal)
    stopping.signal.throwIfAborted()
    const status = await runGo({ output, packages, modules, hear, signal: stopping.signal })
    if (status === 0) return count.forget()
    count.keep()
    throw new Error(`go build failed: ${lastLine}`)
  }
  const done = build().finally(() => {
    clearInterval(progress)
    process.removeListener('exit', leave)
    clear()
  })
  return { done, stop }
}

/** Resolves with the exit status. Passes each output line to `hear`. */
const runGo = ({ output, packages, modules, hear, signal }) => {
  const label = `-X github.com/temporalio/cli/internal/temporalcli.Version=${cliVersion}`
  // The linker leaves out what a debugger would need: not making it saves 7% of the work and 22% of Go's cache.
  const compiler = ['-trimpath', '-gcflags=all=-dwarf=false']
  const flags = ['-v', ...compiler, '-modfile', modules, '-ldflags', `-s -w ${label}`, '-o', output]
  const child = spawn('go', ['build', ...flags, ...packages], {
    cwd: folder,
    env: toolEnvironment({ CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr.setEncoding('utf8').on('data', hear)
  // Go finishes the packages that it is compiling before it exits.
  const stop = () => void child.kill('SIGINT')
  signal.addEventListener('abort', stop)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => signal.removeEventListener('abort', stop))
}

/** Counts the compiled packages, including those of stopped builds. */
const countPackages = () => {
  const file = `${cachedCli()}.packages`
  let packages = existsSync(file) ? Number(readFileSync(file, 'utf8')) || 0 : 0
  return {
    add: () => {
      packages++
    },
    text: () => `${packages.toLocaleString('en')} of about ${packagesInAll.toLocaleString('en')} packages`,
    keep: () => {
      mkdirSync(cacheFolder(), { recursive: true })
      writeFileSync(file, String(packages))
    },
    forget: () => rmSync(file, { force: true }),
  }
}
