import type { RequestListener, ServerResponse } from 'node:http'
import Koa from 'koa'
import { pino } from 'pino'
import postgres from 'postgres'
import { answerQuestions, serve } from '../processes/child-process.ts'

// Minimal server that returns the same row: without routes, credentials, limits or logs.
const db = postgres(process.env['DATABASE_URL'] ?? '', { max: 10 })

async function readBody(url: string | undefined): Promise<string> {
  const [session] = await db`select * from sessions where id = ${url?.slice(url.lastIndexOf('/') + 1) ?? ''}`
  return JSON.stringify({ session })
}

async function answer(response: ServerResponse, url: string | undefined): Promise<void> {
  const body = await readBody(url)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** The same in the framework of the API, with one log line per request. */
function withKoa(): RequestListener {
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

const plain: RequestListener = (request, response) => {
  answer(response, request.url).catch(() => response.destroy())
}

const url = serve(process.env['WITH'] === 'koa' ? withKoa() : plain)

answerQuestions(() => url)
