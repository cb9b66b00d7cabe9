import { startChildProcess, type ChildProcess } from '../processes/child-process.ts'
import type { GetLoad, GetOutcome } from '../processes/get-client.ts'
import { compare, median, measureRatio, type Bench, type Row } from '../measure.ts'
import type { RouterRequest } from '../processes/router-app.ts'

const largeRouteCount = 200

type Client = ChildProcess<GetLoad, GetOutcome>

export const router: Bench = {
  name: 'router',
  run: async ({ baseUrl }, { quick }) => {
    const paths = await listPaths(baseUrl)
    const client = await startChildProcess<GetLoad, GetOutcome>('processes/get-client.ts')
    const rows = [await measure(client, paths, quick), await measure(client, padPaths(paths, largeRouteCount), quick)]
    await client.part.stop()
    return rows
  },
}

/** Returns the paths of the API, in its order. */
async function listPaths(baseUrl: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: Record<string, unknown> }
  return Object.keys(paths)
}

async function measure(client: Client, paths: string[], quick: boolean): Promise<Row> {
  const apps = {
    ours: await startChildProcess<RouterRequest, string>('processes/router-app.ts'),
    control: await startChildProcess<RouterRequest, string>('processes/router-app.ts'),
  }
  const urls = {
    ours: await apps.ours.sendRequest({ router: 'resources', paths }),
    control: await apps.control.sendRequest({ router: 'single', paths }),
  }
  const rate = async (side: 'ours' | 'control'): Promise<number> => {
    const load = {
      url: `${urls[side]}/api/sessions/6a1f3c6e-2f0a-4f6e-9d8e-0b8f6f0c9a11`,
      credential: 'accept: application/json',
      connections: 16,
      milliseconds: quick ? 1000 : 3000,
    }
    const { responses, rejected, milliseconds } = await client.sendRequest(load)
    if (rejected > 0) throw new Error(`${rejected} of ${responses} requests were rejected`)
    return (responses * 1000) / milliseconds
  }
  const rates = await compare({
    rounds: quick ? 3 : 11,
    warmUp: 2,
    ours: () => rate('ours'),
    control: () => rate('control'),
  })
  await Promise.all([apps.ours.part.stop(), apps.control.part.stop()])
  return {
    name: `one router per resource, ${paths.length} routes`,
    ...measureRatio(rates),
    unit: 'x',
    how: 'requests per second for GET a session in a Koa app without other routes, relative to the same app with one `@koa/router` for all paths',
    detail: `${Math.round(median(rates.ours))}/s, one router for all ${Math.round(median(rates.control))}/s`,
  }
}

/** Adds generated paths up to `count`, half of them before `paths` and half after. */
function padPaths(paths: readonly string[], count: number): string[] {
  const addedPaths = Array.from({ length: count - paths.length }, (_, index) => `/api/capability-${index}/{id}`)
  const half = Math.ceil(addedPaths.length / 2)
  return [...addedPaths.slice(0, half), ...paths, ...addedPaths.slice(half)]
}
