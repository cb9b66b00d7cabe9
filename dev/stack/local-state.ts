import type { DataDir, LocalFile, PartMarks, PartName } from './data-dir.ts'
import type { LaunchedProcess } from '../processes/processes.ts'
import { readMessage, print } from '../say.ts'

/** Keeps `parts.json` and, after `publish`, `local.json` up to date while processes start and exit. */
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
      print(`Writing to the data folder failed: ${readMessage(error)}`)
    }
  }
  // Writes are sequential. Each writes the state at the time when it starts.
  const write = (): Promise<void> => (writing = writing.then(writeNow))
  const removeMark = (name: PartName, pid: number): void => {
    if (marks[name]?.pid !== pid) return
    delete marks[name]
    void write()
  }
  return {
    onLaunch: (name: PartName, { pid, started, exited }: LaunchedProcess): void => {
      marks[name] = { pid, started }
      hasSpare ||= name === 'worker-2'
      void write()
      void exited.then(() => removeMark(name, pid))
    },
    publish: async (local: Omit<LocalFile, 'pids'>): Promise<LocalFile> => {
      published = local
      await write()
      return { ...local, pids: pids() }
    },
    withdraw: async (): Promise<void> => {
      published = undefined
      await writing
      await dataDir.removeLocal()
    },
    settled: (): Promise<void> => writing,
  }
}
