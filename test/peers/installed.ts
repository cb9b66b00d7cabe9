import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { toolEnvironment } from '../../dev/processes/tool-environment.mjs'
import { cacheFolder } from '../../dev/temporal/build.mjs'
import { eventually } from '../world/world.ts'

const execute = promisify(execFile)
const installMs = 280_000

/*
 * Servers of other makers that the adapters talk to in the proof: those that the package registries install in less than a
 * minute on two cores. Not here: Mailpit and versitygw take two to three minutes of compilation, Dex is not published as a
 * current Go module, and the proxy of LiteLLM needs a package that PyPI does not serve.
 */

/** A folder in the cache that `fill` fills once; the next run finds it. Undefined when that fails, with the reason printed. */
const installOnce = async (name: string, fill: (folder: string) => Promise<void>): Promise<string | undefined> => {
  const folder = join(cacheFolder(), 'peers', name)
  if (existsSync(folder)) return folder
  await mkdir(join(cacheFolder(), 'peers'), { recursive: true })
  const draft = await mkdtemp(join(cacheFolder(), 'peers', 'draft-'))
  try {
    await fill(draft)
    // Another checkout may have been faster.
    await rename(draft, folder).catch(() => undefined)
    return existsSync(folder) ? folder : undefined
  } catch (error) {
    process.stderr.write(`${name} cannot be installed: ${String(error).slice(0, 500)}\n`)
    return undefined
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** The program of a Go module. */
export const installGoProgram = async (module: string, version: string): Promise<string | undefined> => {
  const name = module.split('/').at(-1) ?? ''
  const folder = await installOnce(`${name}-${version}`, async (draft) => {
    const env = toolEnvironment({ GOBIN: draft, GOTOOLCHAIN: 'local', GOFLAGS: '-modcacherw' })
    await execute('go', ['install', `${module}@${version}`], { cwd: '/', env, timeout: installMs })
  })
  return folder && join(folder, name)
}

/** A folder for PYTHONPATH with these packages and what they require. */
export const installPythonPackages = (name: string, requirements: string[]): Promise<string | undefined> =>
  installOnce(name, async (draft) => {
    const env = toolEnvironment()
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', draft, ...requirements]
    await execute('python3', pip, { env, timeout: installMs })
  })

/** A server on a port of its own, once it answers. */
export const startPeer = async (
  command: (port: number) => { file: string; args: string[]; env?: Record<string, string> },
) => {
  const port = await findFreePort()
  const { file, args, env = {} } = command(port)
  const child = spawn(file, args, { env: toolEnvironment(env), stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => (complaints = `${complaints}${text.toString()}`.slice(-2000)))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  await eventually('the peer', async () => {
    if (child.exitCode !== null) throw new Error(`${file} ended: ${complaints}`)
    return fetch(url).then(
      (response) => response.body?.cancel().then(() => true),
      () => undefined,
    )
  })
  return {
    url,
    close: async (): Promise<void> => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const findFreePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
