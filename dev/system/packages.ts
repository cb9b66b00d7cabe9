import { spawn, spawnSync } from 'node:child_process'
import { toolEnvironment } from '../processes/tool-environment.mjs'
import type { Print } from '../say.ts'

/** Program from the package manager of the system. */
export type SystemPackage = {
  /** Package name in all package managers. */
  name: string
  isInstalled(): boolean
  /** Purpose, for example `sandboxes use it for full isolation`. */
  purpose: string
  /** Effect if the package is missing. */
  without: string
  /** Time limit of one command of the package manager. */
  timeoutMs: number
}

export function runs(file: string, args: string[]): boolean {
  return spawnSync(file, args, { env: toolEnvironment(), stdio: 'ignore' }).status === 0
}

type Manager = { name: string; install: string; commands: (name: string) => string[][] }

const managers: Manager[] = [
  {
    name: 'apt-get',
    install: 'install',
    commands: (name) => [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', name],
    ],
  },
  { name: 'dnf', install: 'install', commands: (name) => [['install', '-y', '-q', name]] },
  { name: 'apk', install: 'add', commands: (name) => [['add', '--no-cache', '-q', name]] },
]

/** Returns the install command for a person. */
export function installHint(name: string): string {
  const manager = findManager()
  return manager ? `sudo ${manager.name} ${manager.install} ${name}` : `install the package ${name}`
}

/** Installs a package if it is missing and this process has the rights. Never throws. */
export async function ensurePackage(wanted: SystemPackage, print: Print): Promise<void> {
  if (wanted.isInstalled()) return
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const manager = sudo.length === 0 || runs('sudo', ['-n', 'true']) ? findManager() : undefined
  if (manager) {
    print(`Installing ${wanted.name} with ${manager.name}: ${wanted.purpose} …`)
    for (const command of manager.commands(wanted.name)) {
      const [file = '', ...args] = [...sudo, manager.name, ...command]
      await runQuietly(file, args, wanted.timeoutMs)
    }
    if (wanted.isInstalled()) return
  }
  print(`${wanted.name} is not installed: ${wanted.without}: ${installHint(wanted.name)}`)
}

function findManager(): Manager | undefined {
  return managers.find(({ name }) => runs(name, ['--version']))
}

function runQuietly(file: string, args: string[], timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const env = toolEnvironment({ DEBIAN_FRONTEND: 'noninteractive' })
    const child = spawn(file, args, { stdio: 'ignore', env, timeout })
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}
