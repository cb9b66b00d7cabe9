import { z } from 'zod'
import { contentTemplates } from '../../domain/content/templates/index.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'
import { successOf } from '../../domain/fields/fields.ts'

export function templatesRoute(): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/content/templates',
    summary: 'List the templates for videos',
    description: 'The first template is the default.',
    ownership: 'Every authenticated caller sees the same list.',
    responses: { 200: successOf({ templates: z.array(z.object({ name: z.string(), description: z.string() })) }) },
    handle: async () => {
      const templates = contentTemplates.map(({ name, description }) => ({ name, description }))
      return success({ templates })
    },
  })
}
