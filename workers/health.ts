import { once } from 'node:events'
import { createServer } from 'node:http'

type Options = { host: string; port: number | undefined }

/** Serves GET /healthz for a container's health check: 503 until the worker reports that it is healthy. */
export async function serveHealth({ host, port }: Options) {
  let isHealthy: (() => boolean) | undefined
  const server = createServer(({ url }, response) => {
    const status = url !== '/healthz' ? 404 : isHealthy?.() === true ? 200 : 503
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${status}\n`)
  })
  if (port !== undefined) await once(server.listen(port, host), 'listening')
  return {
    /** Sets the check that each request runs. */
    use: (check: () => boolean): void => {
      isHealthy = check
    },
    close: async (): Promise<void> => {
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}
