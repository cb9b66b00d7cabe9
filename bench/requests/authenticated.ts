import { developmentToken } from '../../providers/identity/development-token.ts'
import { bundle, startChildProcess, type ChildProcess } from '../processes/child-process.ts'
import type { GetLoad, GetOutcome } from '../processes/get-client.ts'
import { compare, median, measureRatio, type Bench, type Row } from '../measure.ts'
import { startSeparateApi } from '../stack/own-api.ts'
import type { Stack } from '../stack/stack.ts'
import { readUsage } from '../processes/usage.ts'
import { measureCost } from './get-cost.ts'

// The limiter counts requests, but no account reaches the limit.
const settings = { RATE_LIMIT_PER_MINUTE: '1000000000' }

type Setup = { client: ChildProcess<GetLoad, GetOutcome>; api: Side; bare: Side; koa: Side; quick: boolean }
type Side = { url: string; pid: number }
type Comparison = { side: 'bare' | 'koa'; name: string; credential: string; aim?: Row['aim']; how: string }

const bareHttp =
  'a bare `http` server that returns the same row for every request, from the same Postgres through the same driver'

export const authenticated: Bench = {
  name: 'authenticated',
  run: async (stack, { quick }) => {
    const { account, sessionId } = await stack.openChat()
    const client = await startChildProcess<GetLoad, GetOutcome>('processes/get-client.ts')
    const env = { DATABASE_URL: stack.databaseUrl }
    const server = await bundle('bare/http.ts')
    const bare = await startChildProcess<'url', string>(server, { env })
    // Its log is discarded like the log of the API.
    const koa = await startChildProcess<'url', string>(server, {
      env: { ...env, WITH: 'koa' },
      output: 'ignore',
    })
    const api = await startSeparateApi(stack, settings)
    const setup = {
      client,
      api: { url: `${api.baseUrl}/api/sessions/${sessionId}`, pid: api.pid },
      bare: { url: `${await bare.sendRequest('url')}/${sessionId}`, pid: bare.part.pid },
      koa: { url: `${await koa.sendRequest('url')}/${sessionId}`, pid: koa.part.pid },
      quick,
    }
    const token = await issueToken(stack, api.baseUrl, account.id)
    const key = `x-api-key: ${account.key}`
    const toBare = { side: 'bare', aim: { atLeast: 0.85 }, how: bareHttp } as const
    const rows = [
      ...(await measure(setup, { ...toBare, name: 'an API key', credential: key })),
      ...(await measure(setup, { ...toBare, name: 'a bearer token', credential: `authorization: Bearer ${token}` })),
      ...(await measure(setup, {
        side: 'koa',
        name: 'an API key, relative to bare Koa',
        credential: key,
        how: 'a Koa server with one function that returns the same row and writes one log line',
      })),
      await measureCost(stack, { client, server, settings, sessionId, credential: key, quick }),
    ]
    await Promise.all([api.stop(), bare.part.stop(), koa.part.stop(), client.part.stop()])
    return rows
  },
}

/** Returns a bearer token of the embedded issuer for the person of an account. */
async function issueToken({ db, config }: Stack, baseUrl: string, accountId: string): Promise<string> {
  const [person] = await db<{ email: string }[]>`select email from account_emails where account_id = ${accountId}`
  const response = await fetch(`${baseUrl}/identity/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: person?.email,
      development_token: developmentToken(config.SERVER_SECRET ?? ''),
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

/** Requests the same row from the API, with one kind of credential, and from a server without authentication. */
async function measure(setup: Setup, { side: controlSide, name, credential, aim, how }: Comparison): Promise<Row[]> {
  const { client, api, quick } = setup
  const cpu: Record<'ours' | 'control', number[]> = { ours: [], control: [] }
  const rate = async (side: 'ours' | 'control'): Promise<number> => {
    const { url, pid } = side === 'ours' ? api : setup[controlSide]
    const before = readUsage(pid).cpuMicroseconds
    const load = { url, credential, connections: 16, milliseconds: quick ? 1000 : 3000 }
    const { responses, rejected, milliseconds } = await client.sendRequest(load)
    if (rejected > 0) throw new Error(`${rejected} of ${responses} requests were rejected`)
    cpu[side].push((readUsage(pid).cpuMicroseconds - before) / responses)
    return (responses * 1000) / milliseconds
  }
  const warmUp = 2
  const rates = await compare({
    rounds: quick ? 3 : 11,
    warmUp,
    ours: () => rate('ours'),
    control: () => rate('control'),
  })
  const perRequest = { ours: cpu.ours.slice(warmUp), control: cpu.control.slice(warmUp) }
  return [
    {
      name: `GET a session with ${name}: rate`,
      ...measureRatio(rates),
      unit: 'x',
      ...(aim !== undefined && { aim }),
      how: `default settings, including one log line per request, 16 keep-alive connections; relative to ${how}`,
      detail: `${Math.round(median(rates.ours))}/s, ${controlSide} ${Math.round(median(rates.control))}/s`,
    },
    {
      name: `GET a session with ${name}: CPU time`,
      ...measureRatio(perRequest),
      unit: 'x',
      how: 'CPU time of the API process per request, relative to that of the other server, in the same rounds',
      detail: `${median(perRequest.ours).toFixed(0)} us, ${controlSide} ${median(perRequest.control).toFixed(0)} us`,
    },
  ]
}
