import { z } from 'zod'

/** A track: what the words say, sung or played, of this length. */
const musicRenderSchema = z.object({
  kind: z.literal('music'),
  prompt: z.string(),
  lyrics: z.string(),
  seconds: z.number().positive().max(300),
  steps: z.int(),
  guidance: z.number(),
  /** Absent: the renderer chooses. */
  seed: z.int().min(0).optional(),
})

/** An upright clip: a picture in motion, a part of a song, a caption. */
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

/** `bytes` and `durationSeconds` are null where the renderer does not say. */
export type RenderResult = {
  url: string
  contentType: string
  bytes: number | null
  durationSeconds: number | null
  seed: number | null
}

/** A file that the embedded renderer has put into the store. */
export type RenderedFile = { key: string; contentType: string; bytes: number; durationSeconds: number }

export type RenderJob = {
  id: string
  request: RenderRequest
  state: RenderState
  logs: RenderLog[]
  file: RenderedFile | null
}

/** A job in the hands of one process; `attempt` counts from 1. */
export type ClaimedRender = Pick<RenderJob, 'id' | 'request'> & { attempt: number }

/**
 * The jobs of the embedded renderer. They outlive every process: a claim is worth nothing once its process is dead, and
 * what an earlier attempt says is ignored.
 */
export type RenderJobs = {
  /** An id that is known keeps its first request; answers that one. */
  insert(id: string, request: RenderRequest, accountId?: string): Promise<RenderRequest>
  find(id: string): Promise<RenderJob | undefined>
  /**
   * The next job to work on: one whose process died or lost it, else the oldest one of the account whose turn it is. Accounts
   * with `ofAccount` renders in this process wait. `held`: ids of the jobs that this process works on.
   */
  claim(held: string[], ofAccount: number): Promise<ClaimedRender | undefined>
  log(claimed: ClaimedRender, message: string): Promise<void>
  /** False if another process holds the job. */
  complete(claimed: ClaimedRender, file: RenderedFile): Promise<boolean>
  /** Adds the message to the log that clients read. */
  fail(claimed: ClaimedRender, message: string): Promise<void>
  /** Gives it back undone; the attempt counts unless it was not the job's fault. */
  release(claimed: ClaimedRender, options: { counts: boolean }): Promise<void>
  /** Fails a job that has not ended and is no longer needed. */
  cancel(id: string): Promise<void>
  /** False once the job is cancelled or held by another process. */
  isHeld(claimed: ClaimedRender): Promise<boolean>
  /** Deletes what ended before this time; answers the keys of its files. */
  deleteEnded(before: Date): Promise<string[]>
}
