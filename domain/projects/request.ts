import { z } from 'zod'
import { oneRequired, trimmedText, uuid } from '../fields/fields.ts'
import { email } from '../mail/addresses.ts'

const taskFields = {
  title: trimmedText(1, 300),
  description: trimmedText(0, 10_000)
    .transform((text) => (text === '' ? null : text))
    .nullable(),
  // Postgres has no year 0.
  due_date: z.iso
    .date()
    .refine((date) => date >= '0001-01-01', { error: 'must be a date' })
    .nullable()
    .meta({ description: 'A calendar date, without a time.' }),
  assignee_account_id: uuid
    .nullable()
    .meta({ description: 'The collaborator of the project who is responsible for the task.' }),
}

export const newProjectSchema = z.object({ name: trimmedText(1, 200) })

export const newTaskSchema = z.object({
  title: taskFields.title,
  description: taskFields.description.default(null),
  due_date: taskFields.due_date.default(null),
  assignee_account_id: taskFields.assignee_account_id.default(null),
})

export const taskChangesSchema = z
  .object({ ...taskFields, completed: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, { error: 'Send at least one field' })
  .meta({ minProperties: 1 })

export const newCollaboratorSchema = z
  .object({ account_id: uuid.optional(), email: email.optional() })
  .refine(({ account_id, email }) => (account_id === undefined) !== (email === undefined), {
    error: 'Send exactly one of account_id and email',
  })
  .meta(oneRequired(['account_id', 'email']))

export const newCommentSchema = z.object({ body: trimmedText(1, 4000) })

export type NewTask = z.output<typeof newTaskSchema>
export type TaskChanges = z.output<typeof taskChangesSchema>
