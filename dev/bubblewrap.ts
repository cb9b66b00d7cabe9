import { spawn, spawnSync } from 'node:child_process'
import type { Say } from './say.ts'

const runs = (file: string, args: string[]): boolean => spawnSync(file, args, { stdio: 'ignore' }).status === 0

export const hasBubblewrap = (): boolean => runs('bwrap', ['--version'])

/** The package managers that carry bubblewrap, with the command lines that install it. */
const managers = [
  {
    name: 'apt-get',
    commands: [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'bubblewrap'],
    ],
  },
  { name: 'dnf', commands: [['install', '-y', '-q', 'bubblewrap']] },
  { name: 'apk', commands: [['add', '--no-cache', '-q', 'bubblewrap']] },
]

const findManager = (): (typeof managers)[number] | undefined => managers.find(({ name }) => runs(name, ['--version']))

/** The command that a person can run. */
export const installHint = (): string => {
  const manager = findManager()
  return manager
    ? `sudo ${manager.name} ${manager.name === 'apk' ? 'add' : 'install'} bubblewrap`
    : 'install the package bubblewrap'
}

const runQuietly = (file: string, args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const child = spawn(file, args, { stdio: 'ignore', env, timeout: 60_000 })
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })

/** Installs bubblewrap where it is missing and we may: then sandboxes are isolated by the kernel. Never an obstacle. */
export const ensureBubblewrap = async (say: Say): Promise<void> => {
  if (process.platform !== 'linux' || hasBubblewrap()) return
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const manager = sudo.length === 0 || runs('sudo', ['-n', 'true']) ? findManager() : undefined
  if (manager) {
    say(`Installing bubblewrap with ${manager.name}: sandboxes use it for full isolation …`)
    for (const command of manager.commands) {
      const [file = '', ...args] = [...sudo, manager.name, ...command]
      await runQuietly(file, args)
    }
    if (hasBubblewrap()) return
  }
  say(`bubblewrap is not installed: sandboxes run in a simulated shell. For full isolation: ${installHint()}`)
}
