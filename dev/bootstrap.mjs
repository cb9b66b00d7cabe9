// Usage: node dev/bootstrap.mjs <name> [arguments]. Installs missing packages, then runs `dev/commands/<name>.ts` or the
// program <name> of an installed package. The code before the installation imports no packages.
const minVersion = [20, 19]

const refuse = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]))
  refuse(
    `Backline needs Node ${minVersion.join('.')} or newer, but this is Node ${process.versions.node}: install a newer version (https://nodejs.org).`,
  )

const { spawn, spawnSync } = await import('node:child_process')
const { createHash } = await import('node:crypto')
const { existsSync, readdirSync, readFileSync, writeFileSync } = await import('node:fs')
const { constants, devNull } = await import('node:os')
const path = await import('node:path')
const { fileURLToPath, pathToFileURL } = await import('node:url')

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const { closeInheritedDescriptors } = await import('../providers/sandbox/children/inherited-descriptors.mjs')
closeInheritedDescriptors()

const readPackages = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages

/** npm writes its lock file last, so an interrupted or outdated installation differs from package-lock.json. */
const isInstalled = () => {
  const withoutDev = ['start', 'build', 'runtime-packages', 'migrate', 'grant', 'doctor'].includes(name)
  const locked = readPackages('package-lock.json')
  let installed
  try {
    installed = readPackages('node_modules/.package-lock.json')
  } catch {
    return false
  }
  const isCurrent = Object.entries(locked).every(
    ([folder, { version, optional, dev, devOptional }]) =>
      folder === '' ||
      (installed[folder] ? installed[folder].version === version : optional || (withoutDev && (dev || devOptional))),
  )
  return isCurrent && Object.keys(installed).every((folder) => locked[folder])
}

/** Forwards signals to the child and exits with its exit code or signal. */
const run = (file, args) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit' })
    const forward = (signal) => child.kill(signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    child.once('error', (error) => resolve({ error }))
    child.once('exit', (code, signal) => {
      for (const name of signals) process.removeListener(name, forward)
      resolve({ code: signal ? 128 + constants.signals[signal] : code })
    })
  })

/**
 * Builds the Temporal server during the installation of the packages if the server can neither be found nor downloaded. The
 * later build reuses the compiled Go packages. Returns a function that stops the build, or undefined.
 */
const startServerBuild = async () => {
  if (!['start', 'dev', 'test', 'proof'].includes(name)) return undefined
  const { buildCli, cachedCli, downloadUrl, findGo } = await import('./temporal/build.mjs')
  const dotenv = existsSync(path.join(root, '.env')) ? readFileSync(path.join(root, '.env'), 'utf8') : ''
  const isConfigured =
    process.env.TEMPORAL_ADDRESS || process.env.TEMPORAL_CLI || /^TEMPORAL_(ADDRESS|CLI)=./m.test(dotenv)
  if (isConfigured || existsSync(cachedCli()) || findGo() === undefined) return undefined
  const response = await fetch(downloadUrl(), { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
  await response?.body?.cancel()
  if (response?.ok) return undefined
  console.log('Building the Temporal server with Go in the background: only once on this machine, a few minutes …')
  const build = buildCli(devNull, (line) => console.log(line))
  const ended = build.done.catch(() => {})
  return () => {
    build.stop()
    return ended
  }
}

const install = async () => {
  console.log('Installing packages (npm ci): only once, at most a few minutes …')
  const begin = Date.now()
  // npm shows its progress only on a terminal.
  const tick = () => console.log(`  still installing, ${Math.round((Date.now() - begin) / 1000)} s`)
  const progress = process.stdout.isTTY ? undefined : setInterval(tick, 10_000)
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const server = startServerBuild()
  const { code, error } = await run(npm[0], [...npm.slice(1), 'ci', '--no-fund', '--no-audit', '--loglevel=error'])
  clearInterval(progress)
  await (
    await server
  )?.()
  if (error) refuse('npm is not installed: install it (it is part of Node, https://nodejs.org) and try again.')
  if (code !== 0) refuse('Installing the packages failed: see the npm error above.')
}

/** Lists the files of `patches/`, each with the path of the file that records the hash of the applied patch. */
const listPatches = () =>
  readdirSync(path.join(root, 'patches'))
    .filter((file) => file.endsWith('.patch'))
    .map((file) => {
      const folder = file.replace(/\+[^+]+\.patch$/, '').replaceAll('+', '/')
      const hash = createHash('sha256')
        .update(readFileSync(path.join(root, 'patches', file)))
        .digest('hex')
      const record = path.join(root, 'node_modules', folder, '.patch-hash')
      return { hash, record, applied: existsSync(record) ? readFileSync(record, 'utf8') : undefined }
    })

/**
 * Applies `patches/`. A postinstall script cannot do this, because `.npmrc` disables all scripts. This file can, because every
 * command starts with it.
 */
const patchPackages = async () => {
  // patch-package cannot apply a patch on top of an older version of the same patch.
  if (listPatches().some(({ hash, applied }) => applied !== undefined && applied !== hash)) await install()
  const missing = listPatches().filter(({ applied }) => applied === undefined)
  if (missing.length === 0) return
  const program = path.join(root, 'node_modules/patch-package/index.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--error-on-fail'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) refuse(`A patch in patches/ cannot be applied to its package:\n${stdout}${stderr}`)
  for (const { record, hash } of missing) writeFileSync(record, hash)
}

const [name, ...args] = process.argv.slice(2)
if (!existsSync(path.join(root, 'package-lock.json')))
  refuse('package-lock.json is missing: this checkout is incomplete.')
if (!isInstalled()) await install()
await patchPackages()

process.chdir(root)
// A command is a file in `dev/commands`, or a path relative to the root.
const target = path.join(root, name.endsWith('.ts') ? name : `dev/commands/${name}.ts`)
if (existsSync(target)) {
  // Runs in this process, so that signals and the exit code apply to the command itself.
  const { register } = await import('tsx/esm/api')
  register()
  const { main } = await import(pathToFileURL(target).href)
  if (main) {
    const { runCommand } = await import('./say.ts')
    await runCommand(() => main(args))
  }
} else {
  const { code, error } = await run(path.join(root, 'node_modules', '.bin', name), args)
  if (error) refuse(`Unknown command ${name}: ${error.message}`)
  process.exitCode = code
}
