import { z } from 'zod'
import { listedRunSchema } from './listed-run.ts'

const time = z.iso.datetime()

/** Maximum characters of a tool's input or output in a timeline. */
export const maxPreviewCharacters = 2000

/** Maximum entries of one response. */
export const maxEntries = 5000

const entryKinds = ['wait', 'step', 'attempt', 'tool', 'commit'] as const
const entryStatuses = ['waiting', 'running', 'completed', 'failed', 'lost', 'cancelled'] as const

/** One entry of a run's timeline. `parentId` is the id of the enclosing entry. */
const timelineEntrySchema = z
  .object({
    id: z.string(),
    parentId: z.string().nullable(),
    kind: z.enum(entryKinds),
    name: z.string(),
    status: z.enum(entryStatuses),
    startedAt: time.nullable(),
    endedAt: time.nullable(),
    durationMs: z.int().nullable(),
    attempt: z.int().nullable(),
    error: z.object({ name: z.string(), message: z.string() }).nullable(),
    model: z
      .object({
        modelId: z.string(),
        finishReason: z.string().nullable(),
        inputTokens: z.int(),
        cachedInputTokens: z.int(),
        outputTokens: z.int(),
        costUsd: z.string().nullable(),
        firstOutputMs: z.int().nullable().meta({ description: 'Time to the first output of the model call.' }),
      })
      .nullable(),
    input: z.string().nullable(),
    output: z.string().nullable(),
  })
  .meta({ id: 'TimelineEntry' })

export const timelineSchema = z.object({
  run: listedRunSchema,
  job: z
    .object({
      payload: z.unknown(),
      output: z.unknown(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      version: z.string(),
    })
    .nullable(),
  entries: z.array(timelineEntrySchema),
  isTruncated: z.boolean(),
  keptUntil: time.nullable(),
  isExpired: z.boolean(),
})

export type TimelineEntry = z.output<typeof timelineEntrySchema>

type EntryFields = Pick<TimelineEntry, 'id' | 'kind' | 'name' | 'status'> &
  Partial<Pick<TimelineEntry, 'parentId' | 'attempt' | 'model' | 'input' | 'output'>> & {
    startedAt: Date | null
    endedAt: Date | null
  }

/** Builds an entry. Missing fields are null. */
export function toTimelineEntry({ startedAt, endedAt, ...fields }: EntryFields): TimelineEntry {
  return {
    parentId: null,
    attempt: null,
    model: null,
    input: null,
    output: null,
    error: null,
    ...fields,
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    durationMs: startedAt && endedAt && Math.max(0, endedAt.getTime() - startedAt.getTime()),
  }
}

export function withError(entry: TimelineEntry, name: string, message: string): TimelineEntry {
  return { ...entry, error: { name, message } }
}

/** Returns the entries of consecutive attempts, each followed by the wait before the next attempt. */
export function withRetryWaits(
  parentId: string | null,
  attempts: readonly TimelineEntry[],
  { nextAt, hasEnded }: { nextAt: Date | null; hasEnded: boolean },
): TimelineEntry[] {
  return attempts.flatMap((attempt, index) => {
    const next = attempts[index + 1]
    const until = next === undefined ? (nextAt?.toISOString() ?? null) : next.startedAt
    if (attempt.endedAt === null || (until === null ? hasEnded : until <= attempt.endedAt)) return [attempt]
    const wait = toTimelineEntry({
      id: `${attempt.id}:wait`,
      parentId,
      kind: 'wait',
      name: 'retry',
      status: until === null ? 'waiting' : 'completed',
      startedAt: new Date(attempt.endedAt),
      endedAt: until === null ? null : new Date(until),
    })
    return [attempt, wait]
  })
}
