import { expect } from 'vitest'
import type { z } from 'zod'
import type { jobResponses, jobSchema } from '../../domain/measurements/jobs.ts'
import { countedTracks, toFoundSongs, songMeasurements } from '../../domain/measurements/capture.ts'
import { generateAlbum } from '../../providers/scraper/embedded/albums.ts'
import { createTracks } from '../../providers/streaming/embedded/discography.ts'
import { eventually, type Sent, type TestAccount, type World } from '../world/world.ts'

/** Returns the ISRCs of the songs on these albums for which the embedded providers return play counts. */
export const listSongs = (albumIds: readonly string[]): string[] => {
  const tracks = countedTracks(albumIds.map((id) => generateAlbum(id, Date.now())))
  return songMeasurements(tracks, new Map(), toFoundSongs(albumIds.flatMap(createTracks))).map(({ isrc }) => isrc)
}

type Job = z.output<typeof jobSchema>
type Accepted = z.output<typeof jobResponses.accepted> & { error: string; required_credits: number }

const path = '/api/research/measurement-jobs'

/** Returns a client for the routes of measurement jobs. */
export const createJobsApi = (getWorld: () => World) => {
  const sendRequest = (sent: Sent, body: object) =>
    getWorld().request<Accepted>('POST', path, { ...sent, body: { source: 'current', ...body } })
  const read = (sent: Sent, id: string) => getWorld().request<{ job: Job; error: string }>('GET', `${path}/${id}`, sent)
  return {
    sendRequest,
    read,
    list: (sent: Sent, query = '') => getWorld().request<{ jobs: Job[] }>('GET', `${path}?${query}`, sent),
    /** Creates a job and returns its accepted response. */
    start: async ({ key }: TestAccount, albumIds: string[]) => {
      const response = await sendRequest({ key }, { scope: { album_ids: albumIds } })
      expect([response.status, response.text]).toEqual([202, expect.any(String)])
      return response.body
    },
    untilState: ({ key }: TestAccount, id: string, state: Job['state']): Promise<Job> =>
      eventually(`a job that is ${state}`, async () => {
        const { job } = (await read({ key }, id)).body
        return job.state === state ? job : undefined
      }),
    untilEnded: ({ key }: TestAccount, id: string): Promise<Job> =>
      eventually('the end of a job', async () => {
        const { job } = (await read({ key }, id)).body
        return job.state === 'done' || job.state === 'failed' ? job : undefined
      }),
    /** Resolves when a chunk of the job has a run at the provider. */
    untilProviderRun: (id: string) =>
      eventually('the provider run', async () => {
        const runs = await getWorld().db`
          select 1 from capture_chunks where snapshot_id = ${id} and provider_run_id is not null`
        return runs.length > 0 || undefined
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
