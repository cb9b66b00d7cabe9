import { spawn, spawnSync } from 'node:child_process'
import { toolEnvironment } from '../processes/tool-environment.mjs'
import type { Print } from '../say.ts'

/** A program that the system's package manager can install. */
export type SystemPackage = {
  /** Package name in all package managers. */
  name: string
  isInstalled(): boolean
  /** Purpose, for example `sandboxes use it for full isolation`. */
  purpose: string
  /** Effect of a missing package, and the start of the advice to install it. */
  without: string
  /** Time limit of one command of the package manager. */
  timeoutMs: number
}

export function succeeds(file: string, args: string[]): boolean {
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

/** Returns the install command that a person can run. */
export function installHint(name: string): string {
  const manager = findManager()
  return manager ? `sudo ${manager.name} ${manager.install} ${name}` : `install the package ${name}`
}

/** Installs a package if it is missing and this process has the privileges. Never throws. */
export async function ensurePackage(systemPackage: SystemPackage, print: Print): Promise<void> {
  if (systemPackage.isInstalled()) return
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const manager = sudo.length === 0 || succeeds('sudo', ['-n', 'true']) ? findManager() : undefined
  if (manager) {
    print(`Installing ${systemPackage.name} with ${manager.name}: ${systemPackage.purpose} …`)
    for (const command of manager.commands(systemPackage.name)) {
      const [file = '', ...args] = [...sudo, manager.name, ...command]
      await runQuietly(file, args, systemPackage.timeoutMs)
    }
    if (systemPackage.isInstalled()) return
  }
  print(`${systemPackage.name} is not installed: ${systemPackage.without}: ${installHint(systemPackage.name)}`)
}

function findManager(): Manager | undefined {
  return managers.find(({ name }) => succeeds(name, ['--version']))
}

function runQuietly(file: string, args: string[], timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const env = toolEnvironment({ DEBIAN_FRONTEND: 'noninteractive' })
    const child = spawn(file, args, { stdio: 'ignore', env, timeout })
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}
