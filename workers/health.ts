import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { withTimeout } from '../engine/timeout.ts'

export type WorkerReadiness = {
  status: 'ready' | 'unready'
  checks: Record<'worker' | 'postgres' | 'temporal', 'ok' | 'failed'>
}

/** The checks of a worker's readiness. A failed Temporal check is reported but does not make the worker unready. */
export type WorkerChecks = {
  /** True while the worker polls for tasks or stands by in its group. */
  isWorking: () => boolean
  checkPostgres: () => Promise<unknown>
  checkTemporal: () => Promise<unknown>
}

type Options = { host: string; port: number | undefined }

const checkTimeoutMs = 2000

/**
 * Serves GET /healthz, which responds with 200 as long as the process runs, and GET /readyz, which responds with 503 until
 * the worker polls for tasks or stands by, and while Postgres does not respond.
 */
export async function serveHealth({ host, port }: Options) {
  let checks: WorkerChecks | undefined
  const server = createServer(({ url }, response) => {
    if (url === '/healthz') respond(response, 200, { status: 'ok' })
    else if (url !== '/readyz') respond(response, 404, { status: 'error', error: 'Not found' })
    else
      void readReadiness(checks).then((readiness) =>
        respond(response, readiness.status === 'ready' ? 200 : 503, readiness),
      )
  })
  if (port !== undefined) await once(server.listen(port, host), 'listening')
  return {
    /** Sets the checks that each request to /readyz runs. */
    setChecks: (workerChecks: WorkerChecks): void => {
      checks = workerChecks
    },
    close: async (): Promise<void> => {
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readReadiness(checks: WorkerChecks | undefined): Promise<WorkerReadiness> {
  const [postgres, temporal] = await Promise.all([runCheck(checks?.checkPostgres), runCheck(checks?.checkTemporal)])
  const worker = checks?.isWorking() === true ? 'ok' : 'failed'
  const isReady = worker === 'ok' && postgres === 'ok'
  return { status: isReady ? 'ready' : 'unready', checks: { worker, postgres, temporal } }
}

async function runCheck(check: (() => Promise<unknown>) | undefined): Promise<'ok' | 'failed'> {
  if (check === undefined) return 'failed'
  return withTimeout(check(), checkTimeoutMs).then(
    () => 'ok',
    () => 'failed',
  )
}

function respond(response: ServerResponse, status: number, body: object): void {
  const headers = {
    'content-type': 'application/json',
    connection: 'close',
    ...(status === 503 && { 'retry-after': '1' }),
  }
  response.writeHead(status, headers).end(`${JSON.stringify(body)}\n`)
}
