import { z } from 'zod'
import { listModelOutcomes } from '../../db/model-outcomes.ts'
import { offeredModel, offeredModelSchema } from '../../domain/models.ts'
import type { ModelCatalog } from '../../providers/model/index.ts'
import { mebibytes, route, success, standardRoute, type Route } from '../http/route.ts'
import { chatTag } from '../chat/tag.ts'
import type { RouteDeps } from '../deps.ts'
import { successOf } from '../../domain/fields/fields.ts'

/** `models`: describes models. Model calls are made by the workers. */
export type ModelDeps = RouteDeps & { models: ModelCatalog }

/** Route that lists the models for chats, runs and tasks. */
export function modelRoutes(deps: ModelDeps): Route[] {
  return [listRoute(deps)]
}

function listRoute(deps: ModelDeps): Route {
  const { config, db, models } = deps
  return route({
    ...standardRoute,
    method: 'GET',
    path: '/api/ai/models',
    tag: chatTag,
    summary: 'List the models of this deployment',
    description:
      'Returns each model with its context window, its current prices and their source, and the result of its last call. If ' +
      '`anyModel` is true, other model ids are also accepted.',
    ownership: 'The deployment has one list for all accounts. Its call statistics name no account.',
    bodyLimit: mebibytes(1),
    responses: { 200: successOf({ models: z.array(offeredModelSchema), anyModel: z.boolean() }) },
    handle: async () => {
      const allowed = config.modelAllowList
      const { defaultModel, smallModel, SUBAGENT_MODEL: subAgentModel = defaultModel } = config
      const modelIds = allowed ?? [defaultModel, smallModel, subAgentModel, ...(await models.list())]
      const byRank = (a: string, b: string) => rank(a, defaultModel) - rank(b, defaultModel) || compare(a, b)
      const ids = [...new Set(modelIds)].toSorted(byRank)
      const outcomes = new Map((await listModelOutcomes(db, ids)).map((row) => [row.modelId, row]))
      const list = ids.map(async (id) =>
        offeredModel(id, await models.describe(id), { lastCall: outcomes.get(id), isDefault: id === defaultModel }),
      )
      return success({ models: await Promise.all(list), anyModel: allowed === undefined })
    },
  })
}

function rank(id: string, defaultModel: string): number {
  return id === defaultModel ? 0 : 1
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
