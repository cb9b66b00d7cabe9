import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from '../../../db/postgres/client.ts'
import type { ExternalRequest } from '../records/records.ts'

/** An effect that has just happened and may still be unreported. */
export type SeenEffect = { runId: string; step: number } | { token: string }

const readSize = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** Kind of effect to wait for: a complete model response, or a token that a tool writes to its effects file. */
export type EffectKind = 'response' | 'token'

/** Whether a request is the model call of a step, not of a sub-agent or for a commit message. */
const isStepRequest = ({ idempotencyKey }: ExternalRequest): boolean => /^[^:]+:\d+:\d+$/.test(idempotencyKey)

/** Lists the files to which the tools of running turns write their effects. */
const listEffectFiles = async (db: Pool, sandboxRoots: readonly string[]): Promise<string[]> => {
  const rows = await db<{ name: string }[]>`
    select distinct s.sandbox_state ->> 'sandboxName' as name
    from runs r join sessions s on s.id = r.session_id
    where r.status = 'running' and s.sandbox_state ->> 'sandboxName' is not null`
  return sandboxRoots.flatMap((root) => rows.map(({ name }) => join(root, name, 'workspace', 'effects.txt')))
}

const fileListIntervalMs = 200
const pollMs = 2

/**
 * Waits for the next effect: a complete response of the model, or a token that a tool wrote to a file. Calls
 * `injectFault` synchronously as soon as it finds the effect. Resolves to undefined on timeout.
 */
export const awaitEffect = async (
  sources: { db: Pool; sandboxRoots: readonly string[]; requests: readonly ExternalRequest[] },
  kind: EffectKind,
  timeoutMs: number,
  injectFault: () => void,
): Promise<SeenEffect | undefined> => {
  const sizes = new Map<string, number>()
  const deadline = Date.now() + timeoutMs
  let open = sources.requests.filter((request) => request.closedAt === undefined)
  let requestCount = sources.requests.length
  let listedAt = 0

  const refreshFiles = async (): Promise<void> => {
    if (Date.now() - listedAt < fileListIntervalMs) return
    listedAt = Date.now()
    const files = await listEffectFiles(sources.db, sources.sandboxRoots).catch(() => [])
    for (const file of files) if (!sizes.has(file)) sizes.set(file, readSize(file))
  }

  const findResponse = (): SeenEffect | undefined => {
    open.push(...sources.requests.slice(requestCount))
    requestCount = sources.requests.length
    const closed = open
      .filter(({ closedAt, outcome }) => closedAt !== undefined && outcome === 'whole')
      .find(isStepRequest)
    open = open.filter((request) => request.closedAt === undefined)
    const [runId, step] = closed?.idempotencyKey.split(':') ?? []
    return runId === undefined ? undefined : { runId, step: Number(step) }
  }

  const findToken = (): SeenEffect | undefined => {
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
    await refreshFiles()
    const seen = kind === 'token' ? findToken() : findResponse()
    if (seen !== undefined) {
      injectFault()
      return seen
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return undefined
}

/** Returns the process that has yet to report the effect, or undefined if the effect is already reported. */
export const findReportingProcess = async (db: Pool, seen: SeenEffect): Promise<number | undefined> => {
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
