import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  method: 'GET',
  tag: { name: 'Credits', description: 'Balance, ledger and usage of an account.' },
  auth: 'key-or-bearer',
  ownership: 'The caller, or an account that the caller may act for; 403 for any other account, known or unknown.',
  envelope: 'plain',
  bodyLimit: kibibytes(256),
  rate: 'default',
  params: z.object({ id: uuid }),
} as const
