import { z } from 'zod'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { templateSchema } from '../../domain/templates/template.ts'
import type { Viewer } from '../../db/templates/view.ts'
import { standardRoute, type Caller } from '../http/route.ts'
import type { RouteDeps } from '../deps.ts'

export const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Templates', description: 'Prompts that people save and share.' },
} as const

export const templateId = z.object({ id: uuid })
export const templateResponse = successOf({ template: templateSchema })
export const doneResponse = successOf({})

export function toViewer({ config }: Pick<RouteDeps, 'config'>, { accountId }: Caller): Viewer {
  return { accountId, admins: { organizationId: config.ADMIN_ORGANIZATION_ID, accountIds: config.adminAccounts } }
}
