import { developmentToken } from '../../providers/identity/development-token.ts'
import { startChildProcess, type ChildProcess } from '../processes/child-process.ts'
import type { GetLoad, GetOutcome } from '../processes/get-client.ts'
import { compare, median, ratioOf, type Bench, type Row } from '../measure.ts'
import { startOwnApi } from '../stack/own-api.ts'
import type { Stack } from '../stack/stack.ts'
import { readUsage } from '../processes/usage.ts'

// No account comes near it: the limiter counts and refuses nothing.
const settings = { RATE_LIMIT_PER_MINUTE: '1000000000' }

type Setup = { client: ChildProcess<GetLoad, GetOutcome>; api: Side; bare: Side; quick: boolean }
type Side = { url: string; pid: number }

export const authenticated: Bench = {
  name: 'authenticated',
  run: async (stack, { quick }) => {
    const { account, sessionId } = await stack.openChat()
    const client = await startChildProcess<GetLoad, GetOutcome>('processes/get-client.ts')
    const bare = await startChildProcess<'url', string>('bare/http.ts', { env: { DATABASE_URL: stack.databaseUrl } })
    const api = await startOwnApi(stack, settings)
    const setup = {
      client,
      api: { url: `${api.baseUrl}/api/sessions/${sessionId}`, pid: api.pid },
      bare: { url: `${await bare.ask('url')}/${sessionId}`, pid: bare.part.pid },
      quick,
    }
    const token = await issueToken(stack, api.baseUrl, account.id)
    const rows = [
      ...(await measure(setup, 'an API key', `x-api-key: ${account.key}`)),
      ...(await measure(setup, 'a bearer token', `authorization: Bearer ${token}`)),
    ]
    await Promise.all([api.stop(), bare.part.stop(), client.part.stop()])
    return rows
  },
}

/** A bearer token of the embedded issuer for the person of an account. */
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

/** The same row asked for with one kind of credential, and of a server that asks for none. */
async function measure({ client, api, bare, quick }: Setup, name: string, credential: string): Promise<Row[]> {
  const cpu: Record<'ours' | 'control', number[]> = { ours: [], control: [] }
  const rate = async (side: 'ours' | 'control'): Promise<number> => {
    const { url, pid } = side === 'ours' ? api : bare
    const before = readUsage(pid).cpuMicroseconds
    const load = { url, credential, connections: 16, milliseconds: quick ? 1000 : 3000 }
    const { answers, refused, milliseconds } = await client.ask(load)
    if (refused > 0) throw new Error(`${refused} of ${answers} requests were refused`)
    cpu[side].push((readUsage(pid).cpuMicroseconds - before) / answers)
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
  return [
    {
      name: `GET a session with ${name}: rate`,
      ...ratioOf(rates),
      unit: 'x',
      aim: { atLeast: 0.8 },
      how: 'default settings, one log line a request included, 16 connections that stay open; over a bare `http` server that answers any request with the same row, from the same Postgres',
      detail: `${Math.round(median(rates.ours))}/s, bare ${Math.round(median(rates.control))}/s`,
    },
    {
      name: `GET a session with ${name}: processor time`,
      ...ratioOf(perRequest),
      unit: 'x',
      how: 'processor time of the API process for each request, over that of the bare server, in the same rounds',
      detail: `${median(perRequest.ours).toFixed(0)} us, bare ${median(perRequest.control).toFixed(0)} us`,
    },
  ]
}
