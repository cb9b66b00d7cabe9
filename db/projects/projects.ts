import type { Page } from '../../domain/fields/pages.ts'
import type { Collaborator, Project } from '../../domain/projects/project.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Creates a project with the account as its first collaborator. */
export async function insertProject(tx: Tx, name: string, accountId: string): Promise<Project> {
  const [project] = await tx<[Project]>`insert into projects (name) values (${name}) returning id, name, created_at`
  await insertCollaborator(tx, project.id, accountId)
  return project
}

/**
 * Returns a project that the account collaborates on. Undefined for any other project and for an unknown id. One query
 * covers both cases, so that its duration does not reveal which applies.
 */
export async function findProject(db: Db | Tx, id: string, accountId: string): Promise<Project | undefined> {
  const [project] = await db<Project[]>`
    select project.id, project.name, project.created_at
    from projects project join project_collaborators collaborator on collaborator.project_id = project.id
    where project.id = ${id} and collaborator.account_id = ${accountId}`
  return project
}

/** Returns the projects that the account collaborates on, newest first, and their total number. */
export async function listProjects(
  db: Db,
  accountId: string,
  { limit, offset }: Page,
): Promise<{ projects: Project[]; count: number }> {
  const [[total], projects] = await Promise.all([
    db<[{ count: number }]>`
      select count(*)::int as count from project_collaborators where account_id = ${accountId}`,
    db<Project[]>`
      select project.id, project.name, project.created_at
      from projects project join project_collaborators collaborator on collaborator.project_id = project.id
      where collaborator.account_id = ${accountId}
      order by collaborator.project_created_at desc, collaborator.project_id desc limit ${limit} offset ${offset}`,
  ])
  return { projects, count: total.count }
}

/** Adds a collaborator. Returns false when the account was already a collaborator. */
export async function insertCollaborator(tx: Tx, projectId: string, accountId: string): Promise<boolean> {
  const { count } = await tx`
    insert into project_collaborators (project_id, account_id, project_created_at)
    values (${projectId}, ${accountId}, (select created_at from projects where id = ${projectId}))
    on conflict do nothing`
  return count === 1
}

/** Returns the collaborators of a project, oldest first. */
export function listCollaborators(db: Db, projectId: string, { limit, offset }: Page): Promise<Collaborator[]> {
  return db<Collaborator[]>`
    select account_id, account.name
    from project_collaborators join accounts account on account.id = account_id
    where project_id = ${projectId} order by project_collaborators.created_at, account_id limit ${limit} offset ${offset}`
}

/** Locks a collaborator of the project until the transaction ends. Returns false when the account is not a collaborator. */
export async function lockCollaborator(tx: Tx, projectId: string, accountId: string): Promise<boolean> {
  const rows = await tx`
    select from project_collaborators where project_id = ${projectId} and account_id = ${accountId} for key share`
  return rows.length > 0
}
