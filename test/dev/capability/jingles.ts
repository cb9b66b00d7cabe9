/** The files of a sample paid job, by path. The job creates a short track with the renderer for 500 credits. */
export const jingleFiles: Readonly<Record<string, string>> = {
  'db/migrations/9998-jingles.sql': `
create table jingles (
  run_id text primary key, account_id uuid not null, text text not null, state text not null default 'queued', error text,
  asked_at timestamptz, provider_request_id text, storage_key text
);
`,
  'db/jingles/job.ts': `
import { newJobId } from '../../domain/fields/ids.ts'
import type { RenderJob } from '../jobs/kind.ts'
import { acceptJobs, type JobTerms } from '../jobs/paid.ts'
import { failRender } from '../jobs/renders.ts'
import type { Db, Tx } from '../postgres/client.ts'

export const price = 500

export const jingleJobKind: RenderJob = {
  name: 'render-jingle',
  cancellable: true,
  vendor: 'renderer',
  table: 'jingles',
  columns: { state: 'state', error: 'error', key: 'run_id' },
  isLive: (db) => db\`state in ('queued', 'running')\`,
  isRendering: (db) => db\`state = 'running'\`,
  rendering: 'running',
  faultName: 'JingleFailed',
  reference: (runId) => \`jingle:\${runId}\`,
  end: (tx, runId) => failRender(tx, jingleJobKind, runId, 'The jingle was lost.'),
}

export async function acceptJingle(tx: Tx, terms: JobTerms, text: string): Promise<string> {
  const id = newJobId()
  const insert = () => tx\`insert into jingles (run_id, account_id, text) values (\${id}, \${terms.accountId}, \${text})\`
  await acceptJobs(tx, jingleJobKind, terms, { price, jobs: [{ id, keys: [id], payload: { text }, insert }] })
  return id
}

export async function readJingle(db: Db, runId: string): Promise<string> {
  const [jingle] = await db<{ text: string }[]>\`select text from jingles where run_id = \${runId}\`
  return jingle?.text ?? ''
}
`,
  'workflows/jingles/render-jingle.ts': `
import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { JobInput } from '../messages.ts'
import { providerActivityOptions, startWhenRoom } from '../provider-runs/provider-run.ts'
import { createRenderPolls } from '../provider-runs/render.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'

const { beginBackgroundRun, endJingle } = proxyActivities<Activities>(databaseActivityOptions)
const { submitJingle, pollJingle, storeJingle, abortJingle } = proxyActivities<Activities>(providerActivityOptions)

type End = { key: string | null; isCancelled: boolean }

export async function renderJingle({ runId }: JobInput): Promise<void> {
  const poll = createRenderPolls(60_000)
  const { live } = await CancellationScope.nonCancellable(() => beginBackgroundRun({ runId }))
  const end = live ? await render(runId, poll) : { key: null, isCancelled: true }
  await CancellationScope.nonCancellable(async () => {
    await endJingle({ runId, ...end })
    if (end.key === null) await abortJingle({ runId })
  })
}

async function render(runId: string, poll: ReturnType<typeof createRenderPolls>): Promise<End> {
  try {
    const isSubmitted = (await startWhenRoom(() => submitJingle({ runId }))) !== undefined
    if (isSubmitted && (await poll(() => pollJingle({ runId }))) === 'completed')
      return { key: (await storeJingle({ runId })).key, isCancelled: false }
    return { key: null, isCancelled: false }
  } catch (error) {
    return { key: null, isCancelled: isCancellation(error) }
  }
}
`,
  'activities/jingles.ts': `
import { jingleJobKind, price, readJingle } from '../db/jingles/job.ts'
import { sniffedBytes, sniffTrack, trackKey } from '../domain/music/file.ts'
import { endRender } from './jobs/end-render.ts'
import { createRenderSteps, type RenderDeps } from './jobs/renders.ts'

export const createJingleActivities = (
  deps: RenderDeps,
) => {
  const { submit, poll, abort, store } = createRenderSteps(deps, {
    kind: jingleJobKind,
    noun: 'jingle',
    toRequest: async (runId) =>
      ({ kind: 'music', prompt: await readJingle(deps.db, runId), lyrics: '', seconds: 5, steps: 27, guidance: 7 }),
    file: {
      maxBytes: 1024 * 1024,
      sniffedBytes,
      identify: (runId, head) => {
        const format = sniffTrack(head)
        return format && { key: trackKey(runId, format), contentType: format.contentType }
      },
      onQuotaFull: async () => {},
    },
  })
  return {
    submitJingle: submit,
    pollJingle: poll,
    abortJingle: abort,
    storeJingle: store,
    endJingle: ({ runId, key, isCancelled }: { runId: string; key: string | null; isCancelled: boolean }) =>
      endRender(deps, jingleJobKind, runId, key === null
        ? { reason: 'The jingle could not be rendered.', isCancelled }
        : { columns: { storage_key: key }, amount: price, output: { key } }),
  }
}
`,
  'api/jingles/index.ts': `
import { z } from 'zod'
import { acceptJingle, jingleJobKind } from '../../db/jingles/job.ts'
import type { WorkDeps } from '../deps.ts'
import { mebibytes, route, type Route } from '../http/route.ts'
import { acceptAndStart, jobTerms } from '../jobs/accept.ts'

export const jingleRoutes = (deps: WorkDeps): Route[] => [
  route({
    tag: { name: 'Jingles', description: 'Short tracks.' },
    method: 'POST',
    path: '/api/jingles',
    summary: 'Create a jingle',
    ownership: 'Owned and paid by the caller.',
    auth: 'key-or-bearer',
    envelope: 'standard',
    bodyLimit: mebibytes(1),
    rate: 'work',
    idempotent: true,
    example: { text: 'a bell' },
    body: z.object({ text: z.string().min(1) }),
    responses: { 202: z.object({ status: z.literal('success'), runId: z.string() }) },
    errors: ['insufficient_credits'],
    handle: ({ caller, body, idempotency }) =>
      acceptAndStart(deps, { caller, idempotency }, async (tx) => {
        const id = await acceptJingle(tx, jobTerms(deps, caller, caller.accountId, 'POST /api/jingles'), body.text)
        const response = { status: 202 as const, body: { status: 'success' as const, runId: id } }
        return { response, object: id, jobs: [{ id, jobKind: jingleJobKind.name }] }
      }),
  }),
]
`,
}

/** Lines for existing files. Each is inserted before `before`, together with its import. */
export const jingleLines: readonly { file: string; line: string; before: string; imported?: string }[] = [
  {
    file: 'domain/jobs/kinds.ts',
    line: "'render-jingle',",
    before: "'capture-play-counts'",
  },
  {
    file: 'db/jobs/list.ts',
    line: 'jingleJobKind,',
    before: 'captureJobKind, scrapeJobKind',
    imported: "import { jingleJobKind } from '../jingles/job.ts'",
  },
  {
    file: 'workflows/index.ts',
    line: "export { renderJingle } from './jingles/render-jingle.ts'",
    before: "export { runTurn } from './chat/turn.ts'",
  },
  {
    file: 'activities/index.ts',
    line: '  ...createJingleActivities(deps),',
    before: '  ...createTurnActivities(deps),',
    imported: "import { createJingleActivities } from './jingles.ts'",
  },
  {
    file: 'api/app.ts',
    line: '    ...jingleRoutes(deps),',
    before: '    ...accountRoutes(deps),',
    imported: "import { jingleRoutes } from './jingles/index.ts'",
  },
  {
    file: 'web/console/runs/again.ts',
    line: "  'render-jingle': () => undefined,",
    before: "  'render-music': (run, request)",
  },
]
