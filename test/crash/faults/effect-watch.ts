import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from '../../../db/postgres/client.ts'
import type { OutsideRequest } from '../records/records.ts'

/** An effect that has just happened and whose report may still be on its way. */
export type SeenEffect = { runId: string; step: number } | { token: string }

const readSize = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** Which effects to wait for. */
export type EffectKind = 'answer' | 'token'

/** Sub-agents have steps of their own, and the request for a commit message belongs to none. */
const ofStep = ({ idempotencyKey }: OutsideRequest): boolean => /^[^:]+:\d+:\d+$/.test(idempotencyKey)

/** Runs at work, and the files in which their tools leave effects. */
const listEffectFiles = async (db: Pool, sandboxRoot: string): Promise<string[]> => {
  const rows = await db<{ name: string }[]>`
    select distinct s.sandbox_state ->> 'sandboxName' as name
    from runs r join sessions s on s.id = r.session_id
    where r.status = 'running' and s.sandbox_state ->> 'sandboxName' is not null`
  return rows.map(({ name }) => join(sandboxRoot, name, 'workspace', 'effects.txt'))
}

const filesMs = 200
const lookMs = 2

/**
 * Waits for the next effect: an answer of the model that was given whole, or a token that a tool left in a file.
 * `strike` runs in the same moment, before anything else of this process. Undefined when none came in time.
 */
export const awaitEffect = async (
  from: { db: Pool; sandboxRoot: string; requests: readonly OutsideRequest[] },
  kind: EffectKind,
  deadlineMs: number,
  injection: () => void,
): Promise<SeenEffect | undefined> => {
  const sizes = new Map<string, number>()
  const deadline = Date.now() + deadlineMs
  let open = from.requests.filter((request) => request.closedAt === undefined)
  let known = from.requests.length
  let listedAt = 0

  const list = async (): Promise<void> => {
    if (Date.now() - listedAt < filesMs) return
    listedAt = Date.now()
    const files = await listEffectFiles(from.db, from.sandboxRoot).catch(() => [])
    for (const file of files) if (!sizes.has(file)) sizes.set(file, readSize(file))
  }

  const answered = (): SeenEffect | undefined => {
    open.push(...from.requests.slice(known))
    known = from.requests.length
    const closed = open.find((one) => one.closedAt !== undefined && one.outcome === 'whole' && ofStep(one))
    open = open.filter((request) => request.closedAt === undefined)
    const [runId, step] = closed?.idempotencyKey.split(':') ?? []
    return runId === undefined ? undefined : { runId, step: Number(step) }
  }

  const left = (): SeenEffect | undefined => {
    for (const [file, before] of sizes) {
      const size = readSize(file)
      sizes.set(file, size)
      if (size <= before) continue
      const token = readFileSync(file, 'utf8').trim().split('\n').at(-1)
      if (token !== undefined && token !== '') return { token }
    }
    return undefined
  }

  while (Date.now() < deadline) {
    await list()
    const seen = kind === 'token' ? left() : answered()
    if (seen !== undefined) {
      injection()
      return seen
    }
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return undefined
}

/** The process that holds the report of an effect; undefined when it is reported already. */
export const findUnreported = async (db: Pool, seen: SeenEffect): Promise<number | undefined> => {
  const [row] =
    'token' in seen
      ? await db<{ holder: number | null }[]>`
          select holder from run_tool_calls where ended_at is null and input::text like ${`%${seen.token}%`}`
      : await db<{ holder: number | null }[]>`
          select holder from stream_head h
          where run_id = ${seen.runId} and open_step = ${seen.step} and not exists (
            select 1 from run_steps s where s.run_id = h.run_id and s.step = ${seen.step})`
  return row?.holder ?? undefined
}
