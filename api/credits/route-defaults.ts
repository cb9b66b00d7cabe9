import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  method: 'GET',
  tag: 'Credits',
  auth: 'key-or-bearer',
  ownership: 'The caller, or an account that the caller may act for; an unknown one is refused alike.',
  envelope: 'plain',
  bodyLimit: kibibytes(256),
  rate: 'default',
  params: z.object({ id: uuid }),
} as const
