import { afterAll, inject, TestRunner } from 'vitest'
import { measureOwnSeconds, measureTreeSeconds } from './processes.ts'

/** CPU seconds that a test file took. */
export type Cost = {
  /** Time of the process that ran the file and of the processes that it started. */
  own: number
  /** Time of the shared servers. It is attributable to this file only if no other file runs. */
  postgres: number
  temporal: number
}

declare module 'vitest' {
  interface TaskMeta {
    cost?: Cost
  }
}

const measure = (): Cost => {
  const { postgres, temporal } = inject('serverPids')
  return { own: measureOwnSeconds(), postgres: measureTreeSeconds(postgres), temporal: measureTreeSeconds(temporal) }
}

const begin = measure()

const { file } = TestRunner.getCurrentSuite()

afterAll(() => {
  const end = measure()
  if (file === undefined) return
  file.meta.cost = {
    own: end.own - begin.own,
    postgres: end.postgres - begin.postgres,
    temporal: end.temporal - begin.temporal,
  }
})
