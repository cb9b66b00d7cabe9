import { freePort } from '../../../dev/stack/ports.ts'
import { startApp } from '../parts/app.ts'
import { buildServer, appPath, packagePath } from '../parts/built.ts'
import { chatTurn } from '../parts/chat-turn.ts'
import { startSingleApp } from '../parts/single-app.ts'
import type { Peer } from '../peer.ts'

export const restate: Peer = {
  name: 'Restate',
  packages: ['@restatedev/restate-server', '@restatedev/restate-sdk', '@restatedev/pubsub', 'openai'],
  setup:
    'one `restate-server` with its defaults, a workflow that calls the model in `ctx.run`, its pub/sub library for the tokens (with a pull interval of 1 ms instead of 1 s), and service and API in one Node process (with a polyfill of `Promise.withResolvers`, which its SDK requires from Node 22)',
  notPersisted: 'none of the stream; a repeated step appends to its earlier output, and the app must mark this',
  ahead: {
    firstToken: 'one server pushes work over an open connection; Backline uses Temporal and two processes',
    step: 'a step is one journal entry that is sent over the open connection; in Backline it is a Postgres transaction with the rows of a chat',
    recovery: 'the server calls the service again as soon as its port responds; no lease or lock must be released',
    resume: 'it reads the object from the offset, without checking permissions',
    memory: 'its own database is part of one server, and API and worker are one process',
    loop: 'one server keeps its own journal: no separate engine or database',
    cost: 'its own database is part of one server: no round trips to Postgres',
    slope: 'the earlier steps are still available over the open connection',
  },
  prepare: () => buildServer('restate'),
  start: async ({ folder, modelUrl }) => {
    const ports = { http: await freePort(), service: await freePort() }
    const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()]
    return startSingleApp(
      async (hold) => {
        hold(await startServer(folder, { ingress, admin, node }))
        const env = {
          PORT: String(ports.http),
          SERVICE_PORT: String(ports.service),
          MODEL_URL: modelUrl,
          RESTATE_URL: `http://127.0.0.1:${ingress}`,
        }
        return {
          name: 'app',
          command: [process.execPath, `${appPath('restate')}/server.mjs`],
          env,
          folder,
          port: ports.http,
          afterStart: () => register(admin, ports.service),
        }
      },
      async (message) => chatTurn(ports.http, message),
    )
  },
}

type Ports = { ingress: number; admin: number; node: number }

function startServer(folder: string, { ingress, admin, node }: Ports) {
  return startApp({
    name: 'restate',
    command: [packagePath(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`)],
    cwd: folder,
    env: {
      RESTATE_BASE_DIR: `${folder}/restate`,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_BIND_PORT: String(node),
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      RESTATE_LOG_FILTER: 'warn',
      RESTATE_DISABLE_TELEMETRY: 'true',
    },
    folder,
    port: admin,
  })
}

async function register(admin: number, service: number): Promise<void> {
  const deadline = performance.now() + 20_000
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${admin}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri: `http://127.0.0.1:${service}` }),
    }).catch(() => undefined)
    if (response?.ok) return
    if (performance.now() > deadline) throw new Error(`Restate rejected the service: ${await response?.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
