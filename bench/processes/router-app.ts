import KoaRouter from '@koa/router'
import Koa, { type Context } from 'koa'
import { createRouteFinder } from '../../api/http/router.ts'
import type { Route } from '../../api/http/route.ts'
import { handleRequests, serve } from './child-process.ts'

// A Koa app in which every route returns the same response. `resources` uses the route finder of the API, `single` uses one
// @koa/router for all paths.
export type RouterRequest = { router: 'resources' | 'single'; paths: string[] }

function respond(ctx: Context): void {
  ctx.body = { found: true }
}

function withSingleRouter(app: Koa, paths: readonly string[]): void {
  const router = new KoaRouter()
  for (const path of paths) router.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), respond)
  app.use(router.routes()).use(router.allowedMethods())
}

function withResourceRouters(app: Koa, paths: readonly string[]): void {
  const find = createRouteFinder(paths.map((path) => ({ method: 'GET', path }) as Route))
  app.use((ctx) => {
    if (find(ctx.method, ctx.url).found) respond(ctx)
  })
}

handleRequests(({ router, paths }: RouterRequest): Promise<string> => {
  const app = new Koa()
  if (router === 'single') withSingleRouter(app, paths)
  else withResourceRouters(app, paths)
  const run = app.callback()
  return serve((request, response) => void run(request, response))
})
