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

/** Samples the descendant processes of `root` until `stop`, which returns them. Linux only. */
export const watchChildren = (root: number) => {
  const children = new Map<string, ChildView>()
  const stopped = new AbortController()
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
      // Between fork and exec, a process has its parent's arguments and the name of the thread that forked it. A
      // process in exec and a process that has ended show no arguments.
      const [after, argumentsAfter] = await Promise.all([
        readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      ])
      const name = readField(status, 'Name')
      if (environment === undefined || network === undefined || readField(after, 'Name') !== name) continue
      if (commandLine === '' || argumentsAfter !== commandLine) continue
      const uid = Number(readField(after, 'Uid').split('\t')[0])
      const argv = commandLine.split('\0').slice(0, -1)
      children.set(`${pid} ${name}`, {
        name,
        argv,
        uid,
        capabilities: readField(after, 'CapEff'),
        network,
        environment,
      })
    }
  }
  const sampling = (async () => {
    while (!stopped.signal.aborted) {
      await sample()
      await pause(50)
    }
  })()
  return {
    stop: async (): Promise<ChildView[]> => {
      stopped.abort()
      await sampling
      return [...children.values()]
    },
  }
}
