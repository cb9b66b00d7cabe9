import { z } from 'zod'
import type { RunFilter } from '../../db/runs/list.ts'
import { uuid } from '../../domain/fields/fields.ts'
import type { ListedStatus } from '../../domain/runs/listed-run.ts'

const maxListItems = 20

export function createListSchema<S extends z.ZodType<string, string>>(item: S) {
  return z
    .string()
    .max(1000)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1).max(maxListItems))
    .meta({ override: { type: 'string' } })
}

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** Query fields that select runs by properties other than their status. */
export const runFilterFields = {
  kind: createListSchema(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be a kind of run')).optional(),
  search: z.string().trim().min(1).max(200).optional(),
  tag: z.string().min(1).max(256).optional(),
  session_id: uuid.optional(),
  chat_id: uuid.optional(),
  task_id: uuid.optional(),
  from: instant.optional(),
  to: instant.optional(),
  children: z.enum(['true', 'false']).default('false'),
}

type FilterFields = {
  [name in Exclude<keyof typeof runFilterFields, 'children'>]?: z.output<(typeof runFilterFields)[name]>
} & { children: 'true' | 'false'; status?: ListedStatus[] | undefined; waiting?: 'true' | 'false' }

export function toFilter(accountId: string, fields: FilterFields): RunFilter {
  return {
    accountId,
    kinds: fields.kind,
    statuses: fields.status,
    search: fields.search,
    tag: fields.tag,
    sessionId: fields.session_id,
    chatId: fields.chat_id,
    taskId: fields.task_id,
    from: fields.from,
    to: fields.to,
    children: fields.children === 'true',
    waiting: fields.waiting === 'true',
  }
}
