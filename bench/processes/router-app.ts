import KoaRouter from '@koa/router'
import Koa, { type Context } from 'koa'
import { createRouteFinder } from '../../api/http/router.ts'
import type { Route } from '../../api/http/route.ts'
import { answerQuestions, serve } from './child-process.ts'

// One Koa app whose every route answers the same; only who finds the route differs.
export type RouterQuestion = { router: 'find-my-way' | '@koa/router'; paths: string[] }

function answer(ctx: Context): void {
  ctx.body = { found: true }
}

function withKoaRouter(app: Koa, paths: readonly string[]): void {
  const router = new KoaRouter()
  for (const path of paths) router.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), answer)
  app.use(router.routes()).use(router.allowedMethods())
}

function withOwn(app: Koa, paths: readonly string[]): void {
  const find = createRouteFinder(paths.map((path) => ({ method: 'GET', path }) as Route))
  app.use((ctx) => {
    if (find(ctx.method, ctx.url).found) answer(ctx)
  })
}

answerQuestions(({ router, paths }: RouterQuestion): Promise<string> => {
  const app = new Koa()
  if (router === '@koa/router') withKoaRouter(app, paths)
  else withOwn(app, paths)
  const run = app.callback()
  return serve((request, response) => void run(request, response))
})
