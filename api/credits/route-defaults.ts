import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  method: 'GET',
  tag: { name: 'Credits', description: 'What an account has, and what it spent.' },
  auth: 'key-or-bearer',
  ownership: 'The caller, or an account that the caller may act for; an unknown one is refused in the same way.',
  envelope: 'plain',
  bodyLimit: kibibytes(256),
  rate: 'default',
  params: z.object({ id: uuid }),
} as const
