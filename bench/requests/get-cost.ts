import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureDifference, median, type Row } from '../measure.ts'
import { startChildProcess, type ChildProcess } from '../processes/child-process.ts'
import type { GetLoad, GetOutcome } from '../processes/get-client.ts'
import { readProfileClock, getProfilingFlags, readProfile, type Origin } from '../processes/profile.ts'
import { startSeparateApi } from '../stack/own-api.ts'
import type { Stack } from '../stack/stack.ts'

type Span = { from: number; to: number; responses: number }
type CostOptions = {
  client: ChildProcess<GetLoad, GetOutcome>
  /** Path of the bare server. */
  server: string
  settings: Record<string, string>
  sessionId: string
  credential: string
  quick: boolean
}

const origins: Origin[] = [
  'the server',
  'other packages',
  'the Postgres driver',
  'Node and the kernel',
  'garbage collection',
]

/** Profiles both servers while they respond alternately, to show how the CPU time of a request is spent. */
export async function measureCost(
  stack: Stack,
  { client, server, settings, sessionId, credential, quick }: CostOptions,
): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'backline-bench-profile-'))
  const folders = { ours: join(folder, 'ours'), control: join(folder, 'control') }
  try {
    const api = await startSeparateApi(stack, settings, getProfilingFlags(folders.ours))
    const bare = await startChildProcess<'url', string>(server, {
      env: { DATABASE_URL: stack.databaseUrl },
      nodeOptions: getProfilingFlags(folders.control),
    })
    const urls = {
      ours: `${api.baseUrl}/api/sessions/${sessionId}`,
      control: `${await bare.sendRequest('url')}/${sessionId}`,
    }
    const spans: Record<'ours' | 'control', Span[]> = { ours: [], control: [] }
    for (let round = 0; round < (quick ? 2 : 5); round++)
      for (const side of ['ours', 'control'] as const) {
        const from = readProfileClock()
        const load = { url: urls[side], credential, connections: 16, milliseconds: quick ? 1000 : 3000 }
        const { responses } = await client.sendRequest(load)
        // The first round warms up.
        if (round > 0) spans[side].push({ from, to: readProfileClock(), responses })
      }
    await api.stop()
    bare.part.child.disconnect()
    await bare.part.exited
    const cost = {
      ours: await computeCosts(folders.ours, spans.ours),
      control: await computeCosts(folders.control, spans.control),
    }
    const parts = origins.map((origin) => {
      const [ours, control] = [cost.ours, cost.control].map((each) =>
        median(each.map((times) => times.get(origin) ?? 0)),
      )
      return `${origin} ${ours?.toFixed(0)} and ${control?.toFixed(0)}`
    })
    return {
      name: 'GET a session with an API key: CPU time added to bare http',
      ...measureDifference({ ours: cost.ours.map(sum), control: cost.control.map(sum) }),
      unit: 'us',
      how: 'CPU time of the main threads, from profiles of both servers while they respond alternately; profiling itself costs both some time; the figures are for one request to Backline and one to bare http',
      detail: parts.join(', '),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function sum(parts: Map<Origin, number>): number {
  return [...parts.values()].reduce((total, part) => total + part, 0)
}

/** Returns the microseconds per request by origin, for each span. */
async function computeCosts(folder: string, spans: Span[]): Promise<Map<Origin, number>[]> {
  const read = await readProfile(folder)
  return spans.map(
    ({ from, to, responses }) => new Map([...read(from, to)].map(([origin, us]) => [origin, us / responses])),
  )
}
