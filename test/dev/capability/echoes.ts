/** The files of a sample capability, by path. The capability repeats its input as often as a setting states. */
export const files: Readonly<Record<string, string>> = {
  'domain/echoes/echoes.ts': `
export const echoJob = 'make-echo'
export const echoed = (text: string, times: number): string => Array(times).fill(text).join(' ')
`,
  'db/migrations/9999-echoes.sql': `
create table echoes (run_id text primary key, text text not null, times integer not null, is_made boolean not null default false);
`,
  'db/echoes.ts': `
import type { Db, Tx } from './postgres/client.ts'

type Echo = { text: string; times: number }

export const insertEcho = async (tx: Tx, runId: string, { text, times }: Echo): Promise<void> => {
  await tx\`insert into echoes (run_id, text, times) values (\${runId}, \${text}, \${times})\`
}

export const markEchoMade = async (db: Db, runId: string): Promise<Echo | undefined> => {
  const [echo] = await db<Echo[]>\`update echoes set is_made = true where run_id = \${runId} returning text, times\`
  return echo
}

export const deleteMadeEchoes = async (db: Db): Promise<void> => {
  await db\`delete from echoes where is_made\`
}
`,
  'workflows/echoes/make-echo.ts': `
import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { JobInput } from '../messages.ts'

const { beginBackgroundRun, makeEcho: make } = proxyActivities<Activities>({ startToCloseTimeout: '10s' })

export async function makeEcho({ runId }: JobInput): Promise<void> {
  const { live } = await beginBackgroundRun({ runId })
  if (live) await make({ runId })
}
`,
  'activities/echoes.ts': `
import { Context } from '@temporalio/activity'
import { markEchoMade } from '../db/echoes.ts'
import { endJob } from '../db/jobs/ending.ts'
import { echoed } from '../domain/echoes/echoes.ts'
import type { DbDeps } from './deps.ts'

export const createEchoActivities = ({ db }: DbDeps) => ({
  makeEcho: async ({ runId }: { runId: string }): Promise<void> => {
    const { attempt } = Context.current().info
    const echo = await markEchoMade(db, runId)
    if (echo === undefined) return
    await endJob(db, { id: runId, attempt }, { status: 'COMPLETED', output: { echo: echoed(echo.text, echo.times) } })
  },
})
`,
  'workers/sweeps/echoes.ts': `
import { deleteMadeEchoes } from '../../db/echoes.ts'
import type { Sweep } from './runtime/loop.ts'

export const echoSweeps: Sweep[] = [{ name: 'forget echoes', everySeconds: 1, run: ({ db }) => deleteMadeEchoes(db) }]
`,
  'config/echoes.ts': `
import { count } from './values.ts'

export const echoGroup = { settings: { ECHO_TIMES: count(2).describe('How often the text is repeated.') }, validate: () => [] }
`,
  'api/echoes/index.ts': `
import { z } from 'zod'
import { insertEcho } from '../../db/echoes.ts'
import { insertJob } from '../../db/jobs/jobs.ts'
import { echoJob } from '../../domain/echoes/echoes.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { WorkDeps } from '../deps.ts'
import { mebibytes, route, type Route } from '../http/route.ts'
import { startJob } from '../jobs/jobs.ts'

export const echoRoutes = (deps: WorkDeps): Route[] => [
  route({
    tag: { name: 'Echoes', description: 'Repetitions of a text.' },
    method: 'POST',
    path: '/api/echoes',
    summary: 'Make an echo',
    ownership: 'The caller alone.',
    auth: 'key-or-bearer',
    envelope: 'standard',
    bodyLimit: mebibytes(1),
    rate: 'starts',
    idempotent: true,
    example: { text: 'hello' },
    body: z.object({ text: z.string().min(1) }),
    responses: { 202: z.object({ status: z.literal('success'), runId: z.string() }) },
    handle: async ({ caller, body, idempotency }) => {
      const id = newJobId()
      const answer = { status: 202 as const, body: { status: 'success' as const, runId: id } }
      await deps.db.begin(async (tx) => {
        const { accountId } = caller
        await insertEcho(tx, id, { text: body.text, times: deps.config.ECHO_TIMES })
        await insertJob(tx, {
          id, accountId, jobKind: echoJob, cancellable: false, version: deps.config.BUILD_ID, payload: {},
        })
        await idempotency.remember(tx, answer)
      })
      recordAuditObject(caller, id)
      startJob(deps, { id, jobKind: echoJob })
      return answer
    },
  }),
]
`,
  'content/docs/echoes.md': `---
title: Echoes
description: Send a text and receive it repeated as the output of a run.
---

Send a text to \`POST /api/echoes\`. The output of a background run repeats it as often as the deployment's settings state.
`,
}

/** Lines for existing files. Each is inserted before `before`, together with its import. */
export const lines: readonly { file: string; line: string; before: string; imported?: string }[] = [
  {
    file: 'api/app.ts',
    line: '    ...echoRoutes(deps),',
    before: '    ...accountRoutes(deps),',
    imported: "import { echoRoutes } from './echoes/index.ts'",
  },
  {
    file: 'workflows/index.ts',
    line: "export { makeEcho } from './echoes/make-echo.ts'",
    before: "export { runTurn } from './chat/turn.ts'",
  },
  {
    file: 'activities/index.ts',
    line: '  ...createEchoActivities(deps),',
    before: '  ...createTurnActivities(deps),',
    imported: "import { createEchoActivities } from './echoes.ts'",
  },
  {
    file: 'workers/sweeps/list.ts',
    line: '  ...echoSweeps,',
    before: '  ...turnSweeps,',
    imported: "import { echoSweeps } from './echoes.ts'",
  },
  {
    file: 'config.ts',
    line: '  echoGroup,',
    before: '  serviceGroup,',
    imported: "import { echoGroup } from './config/echoes.ts'",
  },
  {
    file: 'content/docs/index.md',
    line: 'The service repeats texts as [echoes](echoes.md).\n',
    before: '## How do I run the service?',
  },
]

/** An agent tool: its file and its entry in the list of tools. */
export const tool = {
  path: 'activities/tools/echo.ts',
  text: `
import { z } from 'zod'
import { echoed } from '../../domain/echoes/echoes.ts'
import { defineTool } from './define.ts'

export const echo = defineTool({
  name: 'echo',
  description: 'Returns a text as often as requested.',
  input: z.object({ text: z.string(), times: z.int().default(2) }),
  offeredTo: () => true,
  runsIn: 'worker',
  mayRepeat: true,
  run: async ({ text, times }) => ({ success: true, echo: echoed(text, times) }),
})
`,
  line: {
    file: 'activities/tools/index.ts',
    line: 'echo,',
    before: 'bash, read,',
    imported: "import { echo } from './echo.ts'",
  },
}
