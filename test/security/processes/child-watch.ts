import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

export type ChildView = {
  name: string
  argv: string[]
  uid: number
  capabilities: string
  network: string
  environment: string
}

const readField = (status: string, name: string): string =>
  new Map(
    status.split('\n').map((line) => {
      const [key = '', value = ''] = line.split(':\t')
      return [key, value] as const
    }),
  ).get(name) ?? ''

/** Samples every descendant process of `root` until it is stopped. Linux only. */
export const watchChildren = (root: number) => {
  const seen = new Map<string, ChildView>()
  const over = new AbortController()
  const sample = async (): Promise<void> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const statuses = new Map<number, string>()
    await Promise.all(
      pids.map(async (pid) => statuses.set(Number(pid), await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))),
    )
    const isDescendant = (pid: number): boolean => {
      const parent = Number(readField(statuses.get(pid) ?? '', 'PPid'))
      return parent === root || (parent > 1 && isDescendant(parent))
    }
    for (const [pid, status] of statuses) {
      if (!isDescendant(pid)) continue
      const [commandLine, environment, network] = await Promise.all([
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
        readFile(`/proc/${pid}/environ`, 'utf8').catch(() => undefined),
        readlink(`/proc/${pid}/ns/net`).catch(() => undefined),
      ])
      // A process between fork and exec is still a copy of its parent, under the name of one of its threads; one in exec or one
      // that has ended shows no arguments.
      const [after, argumentsAfter] = await Promise.all([
        readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      ])
      const name = readField(status, 'Name')
      if (environment === undefined || network === undefined || readField(after, 'Name') !== name) continue
      if (commandLine === '' || argumentsAfter !== commandLine) continue
      const uid = Number(readField(after, 'Uid').split('\t')[0])
      const argv = commandLine.split('\0').slice(0, -1)
      seen.set(`${pid} ${name}`, { name, argv, uid, capabilities: readField(after, 'CapEff'), network, environment })
    }
  }
  const looking = (async () => {
    while (!over.signal.aborted) {
      await sample()
      await pause(50)
    }
  })()
  return {
    stop: async (): Promise<ChildView[]> => {
      over.abort()
      await looking
      return [...seen.values()]
    },
  }
}
