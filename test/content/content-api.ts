import { createCanvas } from '@napi-rs/canvas'
import { expect } from 'vitest'
import { isEnded, type JobStatus } from '../../domain/jobs/job.ts'
import type { jobSchema } from '../../domain/jobs/wire.ts'
import type { z } from 'zod'
import type { ContentOutput, ContentProgress } from '../../domain/content/runs.ts'
import { eventually, type Sent, type TestAccount, type World } from '../world/world.ts'

type ResponseBody = {
  runIds: string[]
  status: string
  artist_account_id: string
  template: string
  lipsync: boolean
  error: string
  missing_fields: unknown[]
  required_credits: number
  remaining_credits: number
}
export type ContentJob = Omit<z.output<typeof jobSchema>, 'output' | 'metadata'> & {
  output: ContentOutput
  metadata: ContentProgress
}

/** Settings for small and short videos, which take about a second to render. */
export const smallClips = { CLIP_SECONDS: '2', CLIP_WIDTH: '360' }

/** Requests to the content routes, and the source repository that they read. */
export const createContentApi = (getWorld: () => World) => {
  const create = (sent: Sent, body: object) =>
    getWorld().request<ResponseBody>('POST', '/api/content/create', { ...sent, body })
  const readRun = async ({ key }: TestAccount, runId: string): Promise<ContentJob> => {
    const response = await getWorld().request<{ runs: ContentJob[] }>('GET', `/api/tasks/runs?runId=${runId}`, { key })
    const [run] = response.body.runs
    if (run === undefined) throw new Error(`run ${runId} was not found`)
    return run
  }
  const makeArtist = async (account: TestAccount, name = 'Nova Quartet'): Promise<string> => {
    const { id } = await getWorld().makeArtist({ rosterOf: account.id })
    await getWorld().db`update accounts set name = ${name} where id = ${id}`
    return id
  }
  const makeRepository = async ({ id }: TestAccount, files: Record<string, Uint8Array>): Promise<void> => {
    const { codeHost } = getWorld().deps
    const repository = await codeHost.ensureRepository(`content-${id}`)
    for (const [path, content] of Object.entries(files))
      await codeHost.writeFile(repository, { path, content, message: 'A file' })
    await getWorld().db`
      insert into account_snapshots (account_id, github_repo) values (${id}, ${repository.cloneUrl})`
  }
  return {
    create,
    readRun,
    makeArtist,
    makeRepository,
    /** Creates an account whose repository contains an image and a song of its artist. */
    makeOwner: async (): Promise<{ account: TestAccount; artistId: string }> => {
      const account = await getWorld().makeAccount({ credits: 100_000 })
      await makeRepository(account, {
        'nova-quartet/cover.png': picture(),
        'nova-quartet/songs/01 midnight-arcade.wav': song(),
      })
      return { account, artistId: await makeArtist(account) }
    },
    /** Requests videos. Returns the ids of the accepted runs. */
    start: async ({ key }: TestAccount, body: object): Promise<string[]> => {
      const response = await create({ key }, body)
      expect([response.status, response.text]).toEqual([202, expect.any(String)])
      return response.body.runIds
    },
    cancel: ({ key }: TestAccount, runId: string) =>
      getWorld().request('DELETE', `/api/tasks/runs?runId=${runId}`, { key }),
    untilRendering: (account: TestAccount, runId: string): Promise<true> =>
      eventually('the render', async () => {
        const { stage } = (await readRun(account, runId)).metadata
        return stage === 'queued' || stage === 'rendering' ? true : undefined
      }),
    untilEnded: (account: TestAccount, runId: string): Promise<ContentJob> =>
      eventually('the end of a video', async () => {
        const run = await readRun(account, runId)
        return isEnded(run.status as JobStatus) ? run : undefined
      }),
    /** Counts the renders of all runs, and the debits and holds of a run. */
    countRows: async (runId: string) => {
      const [row] = await getWorld().db`
        select (select count(*)::int from embedded_renders) as renders,
          (select count(*)::int from credit_ledger where reference = ${`content:${runId}`}) as debits,
          (select count(*)::int from credit_holds where reference = ${`content:${runId}`}) as holds`
      return row
    },
  }
}

/** Draws an image with a color gradient. */
export function picture(): Buffer {
  const canvas = createCanvas(300, 400)
  const ctx = canvas.getContext('2d')
  const gradient = ctx.createLinearGradient(0, 0, 0, 400)
  gradient.addColorStop(0, '#c06030')
  gradient.addColorStop(1, '#102040')
  ctx.fillStyle = gradient
  ctx.fillRect(0, 0, 300, 400)
  ctx.fillStyle = '#20a060'
  ctx.fillRect(100, 60, 90, 90)
  return canvas.toBuffer('image/png')
}

const rate = 8000
/** Start and end of the only loud part of the song, in seconds. */
export const loudPart = { from: 6, to: 9 }

/** Returns a WAV file of 12 seconds that is loud in one part. */
export function song(): Buffer {
  const samples = Buffer.alloc(rate * 12 * 2)
  for (let at = 0; at < rate * 12; at++) {
    const isLoud = at >= loudPart.from * rate && at < loudPart.to * rate
    samples.writeInt16LE(Math.round((isLoud ? 16_000 : 600) * Math.sin((at / rate) * 2 * Math.PI * 330)), at * 2)
  }
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}
