import type { DataDir, LocalFile, PartMarks, PartName } from './data-dir.ts'
import type { Launched } from './processes.ts'

/** Keeps `parts.json` and, once everything is ready, `local.json` true while parts come and go. */
export const createLocalState = (dataDir: DataDir) => {
  const marks: PartMarks = {}
  let published: Omit<LocalFile, 'pids'> | undefined
  let writing = Promise.resolve()

  const pids = (): LocalFile['pids'] => ({
    api: marks.api?.pid ?? null,
    worker: marks.worker?.pid ?? null,
    temporal: marks.temporal?.pid ?? null,
    postgres: marks.postgres?.pid ?? null,
  })
  const write = (): Promise<void> => {
    writing = writing.then(async () => {
      await dataDir.writeMarks(marks)
      if (published) await dataDir.writeLocal({ ...published, pids: pids() })
    })
    return writing
  }
  return {
    onLaunch: (name: PartName, { pid, started, exited }: Launched): void => {
      marks[name] = { pid, started }
      void write()
      void exited.then(() => {
        if (marks[name]?.pid !== pid) return
        delete marks[name]
        void write()
      })
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
