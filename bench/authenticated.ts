import { startAside } from './aside.ts'
import type { GetLoad, GetOutcome } from './get-client.ts'
import { compare, median, ratioOf } from './measure.ts'
import type { Bench } from './measure.ts'
import { startOwnApi } from './own-api.ts'
import { readUsage } from './usage.ts'

// No account comes near it: the limiter counts and refuses nothing.
const settings = { RATE_LIMIT_PER_MINUTE: '1000000000' }

export const authenticated: Bench = {
  name: 'authenticated',
  run: async (stack, { quick }) => {
    const { account, sessionId } = await stack.openChat()
    const client = await startAside<GetLoad, GetOutcome>('get-client.ts')
    const bare = await startAside<'url', string>('bare-http.ts', { env: { DATABASE_URL: stack.databaseUrl } })
    const api = await startOwnApi(stack, settings)
    const urls = { ours: `${api.baseUrl}/api/sessions/${sessionId}`, control: `${await bare.ask('url')}/${sessionId}` }
    const pids = { ours: api.pid, control: bare.part.pid }
    const cpu: Record<'ours' | 'control', number[]> = { ours: [], control: [] }

    const rate = async (side: 'ours' | 'control'): Promise<number> => {
      const before = readUsage(pids[side]).cpuMicroseconds
      const load = { url: urls[side], key: account.key, connections: 16, milliseconds: quick ? 1000 : 3000 }
      const { answers, refused, milliseconds } = await client.ask(load)
      if (refused > 0) throw new Error(`${refused} of ${answers} requests were refused`)
      cpu[side].push((readUsage(pids[side]).cpuMicroseconds - before) / answers)
      return (answers * 1000) / milliseconds
    }
    const warmUp = 2
    const rates = await compare({
      rounds: quick ? 3 : 11,
      warmUp,
      ours: () => rate('ours'),
      control: () => rate('control'),
    })
    const perRequest = { ours: cpu.ours.slice(warmUp), control: cpu.control.slice(warmUp) }
    await Promise.all([api.stop(), bare.part.stop(), client.part.stop()])
    return [
      {
        name: 'GET a session with an API key: rate',
        ...ratioOf(rates),
        unit: 'x',
        aim: { atLeast: 0.8 },
        how: 'default settings, one log line a request included, 16 connections that stay open; over a bare `http` server that answers any request with the same row, from the same Postgres',
        detail: `${Math.round(median(rates.ours))}/s, bare ${Math.round(median(rates.control))}/s`,
      },
      {
        name: 'GET a session with an API key: processor time',
        ...ratioOf(perRequest),
        unit: 'x',
        how: 'processor time of the API process for each request, over that of the bare server, in the same rounds',
        detail: `${median(perRequest.ours).toFixed(0)} us, bare ${median(perRequest.control).toFixed(0)} us`,
      },
    ]
  },
}
