import { z } from 'zod'
import { toWire } from '../wire.ts'

export type Project = { id: string; name: string; createdAt: Date }
/** `name` is the name of the account; null if it has none. */
export type Collaborator = { accountId: string; name: string | null }
export type Comment = {
  id: string
  taskId: string
  accountId: string
  authorName: string | null
  body: string
  createdAt: Date
}
export type ProjectTask = {
  id: string
  projectId: string
  title: string
  description: string | null
  /** Day (`YYYY-MM-DD`). */
  dueDate: string | null
  assigneeAccountId: string | null
  completedAt: Date | null
  completedBy: string | null
  commentCount: number
  createdAt: Date
  updatedAt: Date
}

/** Maximum entries in the response for one project or task. The list routes return pages. */
export const embeddedListLimits = { tasks: 500, comments: 1000, collaborators: 1000 } as const

export const projectSchema = z.object({ id: z.guid(), name: z.string(), created_at: z.iso.datetime() })
export const collaboratorSchema = z.object({ account_id: z.guid(), name: z.string().nullable() })
export const commentSchema = z.object({
  id: z.guid(),
  task_id: z.guid(),
  account_id: z.guid(),
  author_name: z.string().nullable(),
  body: z.string().meta({ description: 'Plain text.' }),
  created_at: z.iso.datetime(),
})
export const taskSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  title: z.string(),
  description: z.string().nullable(),
  due_date: z.iso.date().nullable(),
  assignee_account_id: z.guid().nullable(),
  completed_at: z.iso.datetime().nullable().meta({ description: 'Null while the task is not complete.' }),
  completed_by: z.guid().nullable(),
  comment_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export function toProjectResponse(project: Project): z.output<typeof projectSchema> {
  return toWire(projectSchema, project)
}

export function toCollaboratorResponse(collaborator: Collaborator): z.output<typeof collaboratorSchema> {
  return toWire(collaboratorSchema, collaborator)
}

export function toCommentResponse(comment: Comment): z.output<typeof commentSchema> {
  return toWire(commentSchema, comment)
}

export function toTaskResponse(task: ProjectTask): z.output<typeof taskSchema> {
  return toWire(taskSchema, task)
}
