import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import { templateSchema } from '../../domain/templates/template.ts'
import type { Viewer } from '../../db/templates/view.ts'
import { ApiError } from '../http/errors.ts'
import { kibibytes, type Caller } from '../http/route.ts'
import type { RouteDeps } from '../deps.ts'

export const routeDefaults = {
  tag: { name: 'Templates', description: 'Prompts that people save and share.' },
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const

export const templateId = z.object({ id: uuid })
export const templateResponse = z.object({ status: z.literal('success'), template: templateSchema })
export const doneResponse = z.object({ status: z.literal('success') })

export function toViewer({ config }: Pick<RouteDeps, 'config'>, { accountId }: Caller): Viewer {
  return { accountId, admins: { organizationId: config.ADMIN_ORGANIZATION_ID, accountIds: config.adminAccounts } }
}

export function templateNotFound(): ApiError {
  return new ApiError('not_found', 'Template not found')
}
