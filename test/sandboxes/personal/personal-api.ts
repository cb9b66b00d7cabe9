import { expect } from 'vitest'
import { z } from 'zod'
import { isEnded, type JobStatus } from '../../../domain/jobs/job.ts'
import { jobSchema } from '../../../domain/jobs/wire.ts'
import { eventually, type TestAccount, type World } from '../../world/world.ts'

const runsResponse = z.object({ status: z.literal('success'), runs: z.array(jobSchema.strict()) })
export type WireRun = z.output<typeof jobSchema>

const timeoutMs = 180_000

type SandboxList = {
  status: string
  sandboxes: { sandboxId: string; sandboxStatus: string; timeout: number; createdAt: string }[]
  snapshot_id: string | null
  github_repo: string | null
  filetree: { path: string; type: string; sha: string; size?: number }[] | null
}

/** Creates a client for the routes of personal sandboxes. */
export const createPersonalApi = (world: World) => {
  const setup = (account: TestAccount, body?: object) =>
    world.request<{ status: string; runId: string }>('POST', '/api/sandboxes/setup', { key: account.key, body })

  const readRuns = async (account: TestAccount, query: string): Promise<WireRun[]> => {
    const response = await world.request('GET', `/api/tasks/runs?${query}`, { key: account.key })
    expect(response.status).toBe(200)
    return runsResponse.parse(response.body).runs
  }

  const readRun = async (account: TestAccount, runId: string): Promise<WireRun> => {
    const [run] = await readRuns(account, `runId=${runId}`)
    if (run === undefined) throw new Error('no such run')
    return run
  }

  const untilRun = (account: TestAccount, runId: string, description: string, matches: (run: WireRun) => boolean) =>
    eventually(
      description,
      async () => {
        const run = await readRun(account, runId)
        return matches(run) ? run : undefined
      },
      timeoutMs,
    )

  const untilEnded = (account: TestAccount, runId: string): Promise<WireRun> =>
    untilRun(account, runId, 'the end of the background run', ({ status }) => isEnded(status as JobStatus))

  return {
    setup,
    readRuns,
    readRun,
    untilRun,
    untilEnded,
    /** Starts a setup and waits for its end. */
    setUp: async (account: TestAccount): Promise<WireRun> => {
      const started = await setup(account)
      expect(started.status).toBe(200)
      return untilEnded(account, started.body.runId)
    },
    cancel: (account: TestAccount, runId: string) =>
      world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key: account.key }),
    list: (account: TestAccount, query = '') =>
      world.request<SandboxList>('GET', `/api/sandboxes?${query}`, { key: account.key }),
    remove: (account: TestAccount, body?: object) =>
      world.request('DELETE', '/api/sandboxes', { key: account.key, body }),
    readFile: (account: TestAccount, path: string) =>
      world.request<{ content: string; encoding?: string }>(
        'GET',
        `/api/sandboxes/file?path=${encodeURIComponent(path)}`,
        { key: account.key },
      ),
  }
}

type Log = { step: string; status: string; at: string; message?: string }
export const listLogs = (run: WireRun): Log[] => (run.metadata as { logs: Log[] } | null)?.logs ?? []
export const listPaths = (tree: SandboxList['filetree']): string[] => (tree ?? []).map(({ path }) => path)
