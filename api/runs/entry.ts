import { z } from 'zod'
import { readCallText, readStepRecords, type TextSlice } from '../../db/runs/entry-content.ts'
import { findListedRun } from '../../db/runs/list.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { turnKind } from '../../domain/runs/listed-run.ts'
import { readStepReasoning, readStepText, splitSteps } from '../../domain/runs/step-content.ts'
import { mayActFor } from '../access/access.ts'
import type { DbDeps, RouteDeps } from '../deps.ts'
import { notFound } from '../http/errors.ts'
import { route, ok, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

const query = z.object({
  part: z.enum(['input', 'output', 'reasoning']),
  offset: queryInteger(0, 1_000_000_000, 0),
  limit: queryInteger(1, 200_000, 20_000),
})
type Query = z.output<typeof query>

/** Route that reads the texts of a timeline entry. The timeline itself contains only the beginning of each text. */
export function entryRoute(deps: RouteDeps): Route {
  const { db, config } = deps
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/runs/{runId}/entries/{entryId}',
    summary: 'Read the input or output of a step or a call of a turn',
    description:
      'Returns a part of a text, by `offset` and `limit` in characters; `nextOffset` is set if more text follows. For a step (`step:0`), `input` is the text that the step added to the prompt (the message of the user, or the results of the previous calls), `output` is the text of the model, and `reasoning` is its reasoning. For a call (`tool:<id>`), `input` and `output` are JSON, or the message of a failed call. `text` is null if the entry has no such text.',
    ownership: 'Runs of the caller or of an account that the caller may act for; any other run gives 404.',
    params: z.object({ runId: z.string().max(64), entryId: z.string().max(300) }),
    query,
    responses: {
      200: z.object({ text: z.string().nullable(), totalCharacters: z.int(), nextOffset: z.int().nullable() }),
    },
    errors: ['not_found'],
    handle: async ({ caller, params: { runId, entryId }, query: textQuery }) => {
      const run = await findListedRun(db, runId)
      if (run?.kind !== turnKind || !(await mayActFor(deps, caller, run.accountId))) throw notFound('Entry')
      const isExpired = run.endedAt !== null && daysSince(run.endedAt) >= config.TIMELINE_RETENTION_DAYS
      const slice = isExpired ? undefined : await readText(deps, runId, entryId, textQuery)
      if (slice === undefined) throw notFound('Entry')
      const end = textQuery.offset + (slice?.text.length ?? 0)
      const total = slice?.total ?? 0
      return ok({ text: slice?.text ?? null, totalCharacters: total, nextOffset: end < total ? end : null })
    },
  })
}

/** Returns the requested slice of a text; null if the entry has no such text, and undefined for an unknown entry. */
async function readText(
  { db }: RouteDeps,
  runId: string,
  entryId: string,
  textQuery: Query,
): Promise<TextSlice | undefined> {
  const { part, offset, limit } = textQuery
  const [, callId] = /^tool:(?!.*:step:)(.+)$/.exec(entryId) ?? []
  if (callId !== undefined)
    return part === 'reasoning' ? null : readCallText(db, runId, callId, { part, offset, limit })
  const [, step] = /^step:(\d{1,6})$/.exec(entryId) ?? []
  if (step === undefined) return undefined
  const text = await readStep(db, runId, Number(step), part)
  if (text === undefined || text === '') return text === undefined ? undefined : null
  return { text: text.slice(offset, offset + limit), total: text.length }
}

async function readStep(
  db: DbDeps['db'],
  runId: string,
  step: number,
  part: Query['part'],
): Promise<string | undefined> {
  const { parts, steps, calls, question } = await readStepRecords(db, runId)
  if (!steps.includes(step)) return undefined
  if (part !== 'input') {
    const callIds = new Map(
      steps.map((other) => [
        other,
        new Set(calls.filter((call) => call.step === other).map(({ toolCallId }) => toolCallId)),
      ]),
    )
    const stepParts = splitSteps(parts, callIds).get(step) ?? []
    return part === 'output' ? readStepText(stepParts) : readStepReasoning(stepParts)
  }
  if (step === 0) return readStepText(question)
  return calls
    .filter((call) => call.step === step - 1)
    .map(({ toolCallId, toolName }) => {
      const result = parts.find((part) => part.toolCallId === toolCallId)
      return `${toolName}: ${JSON.stringify(result?.['output'] ?? result?.['errorText'] ?? null)}`
    })
    .join('\n\n')
}

function daysSince(instant: Date): number {
  return (Date.now() - instant.getTime()) / 86_400_000
}
