import type { RequestListener, ServerResponse } from 'node:http'
import Koa from 'koa'
import { pino } from 'pino'
import { handleRequests, serve } from '../processes/child-process.ts'
import { openDatabase } from './open-database.ts'

// Minimal server that returns one row as JSON, without routes, credentials, limits or logs.
const db = openDatabase(process.env['DATABASE_URL'] ?? '', { max: 10 })

async function readBody(url: string | undefined): Promise<string> {
  const [session] = await db`select * from sessions where id = ${url?.slice(url.lastIndexOf('/') + 1) ?? ''}`
  return JSON.stringify({ session })
}

async function sendRow(response: ServerResponse, url: string | undefined): Promise<void> {
  const body = await readBody(url)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Creates a listener that returns the row through the framework of the API and writes one log line per request. */
function createKoaListener(): RequestListener {
  const log = pino()
  const app = new Koa()
  app.use(async (ctx) => {
    const begin = performance.now()
    ctx.body = await readBody(ctx.url)
    ctx.type = 'json'
    log.info({ method: ctx.method, path: ctx.path, status: ctx.status, ms: performance.now() - begin }, 'request')
  })
  const run = app.callback()
  return (request, response) => void run(request, response)
}

const plainListener: RequestListener = (request, response) => {
  sendRow(response, request.url).catch(() => response.destroy())
}

const url = serve(process.env['WITH'] === 'koa' ? createKoaListener() : plainListener)

handleRequests(() => url)
