import type { DataDir, LocalFile, PartMarks, PartName } from './data-dir.ts'
import type { Launched } from '../processes/processes.ts'
import { readMessage, print } from '../say.ts'

/** Keeps `parts.json` and, once everything is ready, `local.json` true while parts come and go. */
export function createLocalState(dataDir: DataDir) {
  const marks: PartMarks = {}
  let published: Omit<LocalFile, 'pids'> | undefined
  let writing = Promise.resolve()
  let hasSpare = false

  const pids = (): LocalFile['pids'] => ({
    api: marks.api?.pid ?? null,
    worker: marks.worker?.pid ?? null,
    ...(hasSpare && { 'worker-2': marks['worker-2']?.pid ?? null }),
    temporal: marks.temporal?.pid ?? null,
    postgres: marks.postgres?.pid ?? null,
  })
  const writeNow = async (): Promise<void> => {
    try {
      await dataDir.writeMarks(marks)
      if (published) await dataDir.writeLocal({ ...published, pids: pids() })
    } catch (error) {
      print(`The data folder cannot be written: ${readMessage(error)}`)
    }
  }
  // One after the other: each writes what is true when its turn comes.
  const write = (): Promise<void> => (writing = writing.then(writeNow))
  const forget = (name: PartName, pid: number): void => {
    if (marks[name]?.pid !== pid) return
    delete marks[name]
    void write()
  }
  return {
    onLaunch: (name: PartName, { pid, started, exited }: Launched): void => {
      marks[name] = { pid, started }
      hasSpare ||= name === 'worker-2'
      void write()
      void exited.then(() => forget(name, pid))
    },
    publish: async (facts: Omit<LocalFile, 'pids'>): Promise<LocalFile> => {
      published = facts
      await write()
      return { ...facts, pids: pids() }
    },
    withdraw: async (): Promise<void> => {
      published = undefined
      await writing
      await dataDir.removeLocal()
    },
    settled: (): Promise<void> => writing,
  }
}
