import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { toolEnvironment } from '../../dev/processes/tool-environment.mjs'
import { cacheFolder } from '../../dev/temporal/build.mjs'

const execute = promisify(execFile)
const installMs = 280_000

/*
 * Third-party servers and versions of Node that the proofs run. The servers for adapters install in less than a minute on two
 * cores; versitygw, the object store of the fleet, takes two minutes of compilation, once on a machine. Not used: Mailpit takes
 * as long, Dex is not published as a current Go module, and the proxy of LiteLLM needs a package that PyPI does not serve.
 */

/** Creates a cached folder and fills it once with `fill`. Prints an error of `fill` and returns undefined. */
const installOnce = async (name: string, fill: (folder: string) => Promise<void>): Promise<string | undefined> => {
  const folder = join(cacheFolder(), 'peers', name)
  if (existsSync(folder)) return folder
  await mkdir(join(cacheFolder(), 'peers'), { recursive: true })
  const draft = await mkdtemp(join(cacheFolder(), 'peers', 'draft-'))
  try {
    await fill(draft)
    // Another checkout may have created the folder in the meantime.
    await rename(draft, folder).catch(() => undefined)
    return existsSync(folder) ? folder : undefined
  } catch (error) {
    process.stderr.write(`${name} cannot be installed: ${String(error).slice(0, 500)}\n`)
    return undefined
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Installs a Go module and returns the path of its program. */
export const installGoProgram = async (module: string, version: string): Promise<string | undefined> => {
  const name = module.split('/').at(-1) ?? ''
  const folder = await installOnce(`${name}-${version}`, async (draft) => {
    const env = toolEnvironment({ GOBIN: draft, GOTOOLCHAIN: 'local', GOFLAGS: '-modcacherw' })
    await execute('go', ['install', `${module}@${version}`], { cwd: '/', env, timeout: installMs })
  })
  return folder && join(folder, name)
}

/** Returns a folder for PYTHONPATH with these packages and their dependencies. */
export const installPythonPackages = (name: string, requirements: string[]): Promise<string | undefined> =>
  installOnce(name, async (draft) => {
    const env = toolEnvironment()
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', draft, ...requirements]
    await execute('python3', pip, { env, timeout: installMs })
  })

/** Installs a version of Node from the npm package of this platform and returns the path of its program. */
export const installNode = async (version: string): Promise<string | undefined> => {
  const name = `node-${process.platform}-${process.arch}`
  const folder = await installOnce(`node-${version}`, async (draft) => {
    const options = ['--prefix', draft, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    await execute('npm', ['install', ...options, `${name}@${version}`], {
      cwd: draft,
      env: toolEnvironment(),
      timeout: installMs,
    })
  })
  return folder && join(folder, 'node_modules', name, 'bin', 'node')
}
