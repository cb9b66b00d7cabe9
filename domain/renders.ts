import { z } from 'zod'

/** Request for a track of a given length from a description and lyrics. */
const musicRenderSchema = z.object({
  kind: z.literal('music'),
  prompt: z.string(),
  lyrics: z.string(),
  seconds: z.number().positive().max(300),
  steps: z.int(),
  guidance: z.number(),
  /** If absent, the renderer chooses a seed. */
  seed: z.int().min(0).optional(),
})

/** Request for a vertical video: a moving image, a part of a song and a caption. */
const videoRenderSchema = z.object({
  kind: z.literal('video'),
  imageUrl: z.url(),
  audioUrl: z.url(),
  startSeconds: z.number().min(0),
  durationSeconds: z.number().positive().max(180),
  caption: z.string(),
  template: z.string(),
  lipsync: z.boolean(),
  upscale: z.boolean(),
})

export const renderRequestSchema = z.discriminatedUnion('kind', [musicRenderSchema, videoRenderSchema])
export type MusicRender = z.output<typeof musicRenderSchema>
export type VideoRender = z.output<typeof videoRenderSchema>
export type RenderRequest = z.output<typeof renderRequestSchema>

export type RenderState = 'queued' | 'running' | 'completed' | 'failed'
export type RenderLog = { at: Date; message: string }

/** `bytes` and `durationSeconds` are null if the renderer does not report them. */
export type RenderResult = {
  url: string
  contentType: string
  bytes: number | null
  durationSeconds: number | null
  seed: number | null
}

/** A file that the embedded renderer has written to the store. */
export type RenderedFile = { key: string; contentType: string; bytes: number; durationSeconds: number }

export type RenderJob = {
  id: string
  request: RenderRequest
  state: RenderState
  logs: RenderLog[]
  file: RenderedFile | null
}

/** A job claimed by one process; `attempt` counts from 1. */
export type ClaimedRender = Pick<RenderJob, 'id' | 'request'> & { attempt: number }

/** Change of a claimed job. `message`: line for the log that clients read. `attempt`: number of attempts that count. */
export type RenderChange = { state: RenderState; message?: string; file?: RenderedFile; attempt?: number }

/**
 * Jobs of the embedded renderer. They outlive a process: after it ends, its claims expire, and results of earlier attempts
 * are ignored.
 */
export type RenderJobs = {
  /** Inserts a job once per id. Returns the first request of the id. */
  insert(id: string, request: RenderRequest, accountId?: string): Promise<RenderRequest>
  find(id: string): Promise<RenderJob | undefined>
  /**
   * Claims the next job: a job whose process has ended or has lost its claim, otherwise the oldest job of the account that is
   * next in the fair queue. Accounts with `maxPerAccount` renders in this process wait. `heldIds`: jobs of this process.
   */
  claim(heldIds: string[], maxPerAccount: number): Promise<ClaimedRender | undefined>
  /** Returns false, without a change, if the job is cancelled or another process holds it. */
  update(claimed: ClaimedRender, change: RenderChange): Promise<boolean>
  /** Returns false once the job is cancelled or held by another process. */
  isHeld(claimed: ClaimedRender): Promise<boolean>
  /** Fails a job that has not ended and is no longer needed. */
  cancel(id: string): Promise<void>
  /** Deletes jobs that ended before `before`. Returns the keys of their files. */
  deleteEnded(before: Date): Promise<string[]>
}
