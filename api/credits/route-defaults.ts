import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import { standardRoute } from '../http/route.ts'

export const routeDefaults = {
  ...standardRoute,
  method: 'GET',
  tag: { name: 'Credits', description: 'Balance, ledger and usage of an account.' },
  ownership: 'The caller, or an account that the caller may act for; 403 for any other account, known or unknown.',
  envelope: 'plain',
  params: z.object({ id: uuid }),
} as const
