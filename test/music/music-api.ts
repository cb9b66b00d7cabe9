import { expect } from 'vitest'
import type { z } from 'zod'
import type { musicResponses } from '../../domain/music/generation.ts'
import { eventually, type Sent, type TestAccount, type World } from '../world/world.ts'

type GenerationBody = z.output<typeof musicResponses.one>
type ErrorBody = { error: string; missing_fields?: string[]; required_credits?: number }

export const trackRequest = { prompt: 'house with a piano', lyrics: 'hold the line', duration: 10, seed: 7 }

/** A client of the music routes. */
export const createMusicApi = (getWorld: () => World) => {
  const sendRequest = (sent: Sent, body: object = trackRequest) =>
    getWorld().request<GenerationBody & ErrorBody>('POST', '/api/music', { ...sent, body })
  const read = (sent: Sent, id: string) =>
    getWorld().request<GenerationBody & ErrorBody>('GET', `/api/music/${id}`, sent)
  return {
    sendRequest,
    read,
    list: (sent: Sent, query = '') =>
      getWorld().request<z.output<typeof musicResponses.list> & ErrorBody>('GET', `/api/music?${query}`, sent),
    /** Starts a generation and returns its id. */
    start: async ({ key }: TestAccount, body: object = trackRequest): Promise<string> => {
      const response = await sendRequest({ key }, body)
      expect([response.status, response.text]).toEqual([202, expect.any(String)])
      return response.body.generation.id
    },
    untilEnded: ({ key }: TestAccount, id: string): Promise<GenerationBody> =>
      eventually('the end of a generation', async () => {
        const { body } = await read({ key }, id)
        return body.generation.status === 'completed' || body.generation.status === 'failed' ? body : undefined
      }),
    findRunId: async (id: string): Promise<string> => {
      const [row] = await getWorld().db<{ runId: string }[]>`select run_id from music_generations where id = ${id}`
      return row?.runId ?? ''
    },
    /** Waits for the end of a background run and returns the run. */
    untilRunEnded: ({ key }: TestAccount, runId: string) =>
      eventually('the end of a run', async () => {
        type Run = { status: string; output: object | null; metadata: object; error: object | null }
        const response = await getWorld().request<{ runs: Run[] }>('GET', `/api/tasks/runs?runId=${runId}`, { key })
        const run = response.body.runs[0]
        return run?.status === 'COMPLETED' || run?.status === 'FAILED' ? run : undefined
      }),
    /** Returns the held and charged credits of an account. */
    readCredits: async ({ id }: TestAccount) => {
      const [row] = await getWorld().db`
        select (select coalesce(sum(amount), 0)::int from credit_holds where account_id = ${id}) as held,
          (select coalesce(sum(-amount), 0)::int from credit_ledger where account_id = ${id} and amount < 0) as charged`
      return row
    },
  }
}
