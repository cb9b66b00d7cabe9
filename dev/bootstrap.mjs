// Runs `dev/commands/<name>.ts`, or the program <name> of an installed package, from a bare checkout:
// node dev/bootstrap.mjs <name> [arguments]. Everything before the run works without any package.
const oldest = [20, 19]

const refuse = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
  refuse(
    `Backline needs Node ${oldest.join('.')} or newer, and this is Node ${process.versions.node}: https://nodejs.org`,
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

/** npm writes its own record last, so an interrupted or outdated install differs from the lock file. */
const isInstalled = () => {
  const withoutDev = ['start', 'build', 'runtime-packages', 'migrate', 'grant', 'doctor'].includes(name)
  const wanted = readPackages('package-lock.json')
  let present
  try {
    present = readPackages('node_modules/.package-lock.json')
  } catch {
    return false
  }
  const same = Object.entries(wanted).every(
    ([folder, { version, optional, dev, devOptional }]) =>
      folder === '' ||
      (present[folder] ? present[folder].version === version : optional || (withoutDev && (dev || devOptional))),
  )
  return same && Object.keys(present).every((folder) => wanted[folder])
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
 * Starts to build the Temporal server, if it must be built, while the packages are installed. The later build reuses the
 * compiled packages. Returns a function that stops it.
 */
const buildMeanwhile = async () => {
  if (!['start', 'dev', 'test', 'proof'].includes(name)) return undefined
  const { buildCli, cachedCli, downloadUrl, findGo } = await import('./temporal/build.mjs')
  const given = existsSync(path.join(root, '.env')) ? readFileSync(path.join(root, '.env'), 'utf8') : ''
  const isGiven = process.env.TEMPORAL_ADDRESS || process.env.TEMPORAL_CLI || /^TEMPORAL_(ADDRESS|CLI)=./m.test(given)
  if (isGiven || existsSync(cachedCli()) || findGo() === undefined) return undefined
  const answer = await fetch(downloadUrl(), { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
  await answer?.body?.cancel()
  if (answer?.ok) return undefined
  console.log('Building the Temporal server with Go meanwhile: once on this machine, some minutes …')
  const build = buildCli(devNull, (line) => console.log(line))
  const ended = build.done.catch(() => {})
  return () => {
    build.stop()
    return ended
  }
}

const install = async () => {
  console.log('Installing packages (npm ci): once, some minutes at most …')
  const begin = Date.now()
  // npm itself shows its progress only on a terminal.
  const tick = () => console.log(`  still installing, ${Math.round((Date.now() - begin) / 1000)} s`)
  const progress = process.stdout.isTTY ? undefined : setInterval(tick, 10_000)
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const server = buildMeanwhile()
  const { code, error } = await run(npm[0], [...npm.slice(1), 'ci', '--no-fund', '--no-audit', '--loglevel=error'])
  clearInterval(progress)
  await (
    await server
  )?.()
  if (error) refuse('npm is missing: install it (it comes with Node, https://nodejs.org) and try again.')
  if (code !== 0) refuse('The packages could not be installed: see the message of npm above.')
}

/** The files of `patches/`, each with the record of its hash in the package that it changes. */
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
 * Applies `patches/` here and not in a postinstall script, because `.npmrc` disables scripts, also those of this package.
 * Every command passes through this file: with and without development packages, from sources and for a build.
 */
const patchPackages = async () => {
  // patch-package cannot apply a patch on top of an older version of it.
  if (listPatches().some(({ hash, applied }) => applied !== undefined && applied !== hash)) await install()
  const missing = listPatches().filter(({ applied }) => applied === undefined)
  if (missing.length === 0) return
  const program = path.join(root, 'node_modules/patch-package/index.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--error-on-fail'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) refuse(`A patch of patches/ does not fit its package:\n${stdout}${stderr}`)
  for (const { record, hash } of missing) writeFileSync(record, hash)
}

const [name, ...args] = process.argv.slice(2)
if (!existsSync(path.join(root, 'package-lock.json')))
  refuse('package-lock.json is missing: this is not a whole checkout.')
if (!isInstalled()) await install()
await patchPackages()

process.chdir(root)
// A command is a file of `dev/commands`, or a path from the root.
const target = path.join(root, name.endsWith('.ts') ? name : `dev/commands/${name}.ts`)
if (existsSync(target)) {
  // In this process: signals, the exit code and kill -9 then mean the command itself.
  const { register } = await import('tsx/esm/api')
  register()
  const { main } = await import(pathToFileURL(target).href)
  if (main) {
    const { runCommand } = await import('./say.ts')
    await runCommand(() => main(args))
  }
} else {
  const { code, error } = await run(path.join(root, 'node_modules', '.bin', name), args)
  if (error) refuse(`There is no command ${name}: ${error.message}`)
  process.exitCode = code
}
