import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Sent, type TestAccount, type World } from '../world/world.ts'

type Task = {
  id: string
  title: string
  description: string | null
  due_date: string | null
  assignee_account_id: string | null
  completed_at: string | null
  completed_by: string | null
  comment_count: number
}
type Comment = { id: string; body: string; account_id: string; author_name: string | null }
type Collaborator = { account_id: string; name: string | null }
type Body = {
  status: string
  error: string
  missing_fields: string[]
  project: { id: string; name: string }
  projects: { id: string }[]
  task: Task
  tasks: Task[]
  comment: Comment
  comments: Comment[]
  collaborator: Collaborator
  collaborators: Collaborator[]
  pagination: object
  id: string
}

let world: World
let owner: TestAccount
let outsider: TestAccount
let projectId: string

beforeAll(async () => {
  world = await createWorld({ worker: false })
  owner = await world.makeAccount()
  outsider = await world.makeAccount()
  projectId = await create()
})
afterAll(() => world.close())

const send = (method: string, path: string, caller: TestAccount, body?: object, sent: Sent = {}) =>
  world.request<Body>(method, `/api/projects${path}`, { key: caller.key, ...(body && { body }), ...sent })
const create = async (name = 'Spring release', caller = owner): Promise<string> => {
  const { status, body } = await send('POST', '', caller, { name })
  expect([status, body.project.name]).toEqual([201, name.trim()])
  return body.project.id
}
const addTask = async (fields: object = {}, id = projectId): Promise<Task> => {
  const { status, body } = await send('POST', `/${id}/tasks`, owner, { title: 'Send the masters', ...fields })
  expect(status).toBe(201)
  return body.task
}
const changeTask = (taskId: string, fields: object, caller = owner, id = projectId) =>
  send('PATCH', `/${id}/tasks/${taskId}`, caller, fields)
const invite = (target: object, caller = owner, id = projectId) => send('POST', `/${id}/collaborators`, caller, target)
const postComment = (taskId: string, body: string, caller = owner, id = projectId) =>
  send('POST', `/${id}/tasks/${taskId}/comments`, caller, { body })
const addCollaborator = async (id = projectId): Promise<TestAccount> => {
  const account = await world.makeAccount({ credits: 0 })
  expect((await invite({ account_id: account.id }, owner, id)).status).toBe(201)
  return account
}

const listEmails = (accountId: string) => world.db<{ subject: string }[]>`
  select subject from email_send_log where account_id = ${accountId} and reference like 'project:%'`

describe('access', () => {
  const routes: [method: string, path: (id: string, taskId: string) => string, body?: object][] = [
    ['GET', (id) => `/${id}`],
    ['GET', (id) => `/${id}/collaborators`],
    ['POST', (id) => `/${id}/collaborators`, { email: 'eve@example.com' }],
    ['GET', (id) => `/${id}/tasks`],
    ['POST', (id) => `/${id}/tasks`, { title: 'Mine' }],
    ['GET', (id, task) => `/${id}/tasks/${task}`],
    ['PATCH', (id, task) => `/${id}/tasks/${task}`, { title: 'Mine' }],
    ['DELETE', (id, task) => `/${id}/tasks/${task}`],
    ['GET', (id, task) => `/${id}/tasks/${task}/comments`],
    ['POST', (id, task) => `/${id}/tasks/${task}/comments`, { body: 'Mine' }],
  ]

  test("other accounts, even members of the owner's organization, get the same response as for a missing project", async () => {
    const organization = await world.makeOrganization()
    const member = await world.makeAccount({ organizationId: organization.id })
    await world.db`
      insert into account_organization_ids (account_id, organization_id, state)
      values (${owner.id}, ${organization.id}, 'member')`
    const { id: taskId } = await addTask()
    for (const [method, path, body] of routes) {
      const unknown = await send(method, path(randomUUID(), taskId), owner, body)
      expect([unknown.status, unknown.body.error]).toEqual([404, 'Project or task not found'])
      for (const caller of [outsider, member]) {
        const response = await send(method, path(projectId, taskId), caller, body)
        expect([response.status, response.body]).toEqual([404, unknown.body])
      }
    }
    expect((await send('GET', `/${projectId}/tasks/${taskId}`, owner)).body.task.comment_count).toBe(0)
  })

  test('a task of another project is not found', async () => {
    const other = await create('Another')
    const { id: taskId } = await addTask({}, other)
    for (const [method, path, body] of routes.slice(5)) {
      const response = await send(method, path(projectId, taskId), owner, body)
      expect([method, response.status, response.body.error]).toEqual([method, 404, 'Project or task not found'])
    }
    expect((await send('GET', `/${other}/tasks/${taskId}`, owner)).status).toBe(200)
  })

  test('ids and fields are validated before the project is looked up', async () => {
    const badId = await send('GET', '/nothing', outsider)
    expect([badId.status, badId.body.missing_fields]).toEqual([400, []])
    const badField = await send('POST', `/${projectId}/tasks`, outsider, { title: '' })
    expect([badField.status, badField.body.missing_fields]).toEqual([400, ['title']])
  })
})

describe('projects', () => {
  test('are listed newest first to their collaborators', async () => {
    const caller = await world.makeAccount()
    const ids = [await create('One', caller), await create('Two', caller), await create('Three', caller)]
    const { body } = await send('GET', '?limit=2&offset=1', caller)
    expect(body.projects.map(({ id }) => id)).toEqual([ids[1], ids[0]])
    expect(body.pagination).toEqual({ total_count: 3, limit: 2, offset: 1 })
    expect((await send('GET', '', outsider)).body.projects).toEqual([])
  })

  test('are read with tasks and collaborators', async () => {
    const id = await create('  Whole  ')
    const task = await addTask({}, id)
    const { body } = await send('GET', `/${id}`, owner)
    expect(body).toMatchObject({
      project: { id, name: 'Whole', created_at: expect.any(String) },
      tasks: [{ id: task.id, project_id: id }],
      collaborators: [{ account_id: owner.id, name: null }],
    })
  })

  test('are created once per Idempotency-Key', async () => {
    const sent = { headers: { 'idempotency-key': randomUUID() } }
    const [one, two] = [
      await send('POST', '', owner, { name: 'Once' }, sent),
      await send('POST', '', owner, { name: 'Once' }, sent),
    ]
    expect(two.body.project.id).toBe(one.body.project.id)
  })
})

describe('collaborators', () => {
  test('are added once by id and get one email that names the project', async () => {
    const person = await world.makeAccount()
    expect((await invite({ account_id: person.id })).body.collaborator).toEqual({ account_id: person.id, name: null })
    expect((await invite({ account_id: person.id })).status).toBe(200)
    expect(await listEmails(person.id)).toEqual([{ subject: 'You collaborate on Spring release' }])
    expect((await send('GET', `/${projectId}`, person)).status).toBe(200)
  })

  test('can be added by an email address without an account, for which an account is created', async () => {
    const email = `new-${randomUUID()}@example.com`
    const { status, body } = await invite({ email: email.toUpperCase() })
    expect(status).toBe(201)
    const [row] = await world.db<{ accountId: string }[]>`select account_id from account_emails where email = ${email}`
    expect(body.collaborator.account_id).toBe(row?.accountId)
    expect((await invite({ email })).status).toBe(200)
  })

  test('must be people and are identified by either account id or email address', async () => {
    const organization = await world.makeOrganization()
    for (const target of [{ account_id: organization.id }, { account_id: randomUUID() }]) {
      const { status, body } = await invite(target)
      expect([status, body.missing_fields]).toEqual([400, ['account_id']])
    }
    expect((await invite({})).status).toBe(400)
    expect((await invite({ account_id: owner.id, email: owner.email })).status).toBe(400)
  })

  test('get an email without the name of the project if an email program would turn it into a link', async () => {
    const id = await create('Win at https://evil.example')
    const person = await addCollaborator(id)
    expect(await listEmails(person.id)).toEqual([{ subject: 'You collaborate on a project' }])
  })
})

describe('tasks', () => {
  test('are stored as they were sent', async () => {
    const assignee = await addCollaborator()
    const fields = { description: ' By post. ', due_date: '2028-02-29', assignee_account_id: assignee.id.toUpperCase() }
    expect(await addTask({ title: '  Send  ', ...fields })).toMatchObject({
      title: 'Send',
      description: 'By post.',
      due_date: '2028-02-29',
      assignee_account_id: assignee.id,
      completed_at: null,
      completed_by: null,
      comment_count: 0,
    })
    expect((await addTask({ description: '' })).description).toBeNull()
  })

  test.each([
    ['title', { title: 'x'.repeat(301) }],
    ['description', { description: 'x'.repeat(10_001) }],
    ['due_date', { due_date: '2026-02-30' }],
    ['due_date', { due_date: '0000-01-01' }],
    ['due_date', { due_date: '2026-02-03T00:00:00Z' }],
    ['assignee_account_id', { assignee_account_id: randomUUID() }],
  ])('with a wrong %s are rejected', async (field, fields) => {
    const { status, body } = await send('POST', `/${projectId}/tasks`, owner, { title: 'x', ...fields })
    expect([status, body.missing_fields]).toEqual([400, [field]])
    const { id } = await addTask()
    const changed = await changeTask(id, fields)
    expect([changed.status, changed.body.missing_fields]).toEqual([400, [field]])
  })

  test('change only in the sent fields, and null clears a field', async () => {
    const { id } = await addTask({ description: 'By post.', due_date: '2026-03-02', assignee_account_id: owner.id })
    const { body } = await changeTask(id, { title: 'Fetch', description: null })
    expect(body.task).toMatchObject({ title: 'Fetch', description: null, due_date: '2026-03-02' })
    const emptied = await changeTask(id, { due_date: null, assignee_account_id: null })
    expect(emptied.body.task).toMatchObject({ title: 'Fetch', due_date: null, assignee_account_id: null })
    const refused = await changeTask(id, { completed_by: owner.id })
    expect([refused.status, refused.body.missing_fields]).toEqual([400, []])
  })

  test('record the first caller who completes them', async () => {
    const second = await addCollaborator()
    const { id } = await addTask()
    const done = (await changeTask(id, { completed: true })).body.task
    expect([done.completed_by, typeof done.completed_at]).toEqual([owner.id, 'string'])
    const repeated = (await changeTask(id, { completed: true }, second)).body.task
    expect([repeated.completed_by, repeated.completed_at]).toEqual([owner.id, done.completed_at])
    const open = (await changeTask(id, { completed: false }, second)).body.task
    expect([open.completed_by, open.completed_at]).toEqual([null, null])
  })

  test('are listed oldest first, in pages', async () => {
    const id = await create('List')
    const tasks = [await addTask({}, id), await addTask({}, id), await addTask({}, id)]
    const { body } = await send('GET', `/${id}/tasks?limit=2&offset=1`, owner)
    expect(body.tasks.map((task) => task.id)).toEqual(tasks.slice(1).map((task) => task.id))
    expect(body.pagination).toEqual({ total_count: 3, limit: 2, offset: 1 })
  })

  test('are deleted with their comments', async () => {
    const { id } = await addTask()
    await postComment(id, 'Gone soon')
    const removed = await send('DELETE', `/${projectId}/tasks/${id}`, owner)
    expect([removed.status, removed.body]).toEqual([200, { status: 'success', id }])
    expect(await world.db`select id from project_task_comments where task_id = ${id}`).toEqual([])
    expect((await send('DELETE', `/${projectId}/tasks/${id}`, owner)).status).toBe(404)
  })

  test('remain after the account of their assignee is deleted', async () => {
    const formerCollaborator = await addCollaborator()
    const { id } = await addTask({ assignee_account_id: formerCollaborator.id })
    await changeTask(id, { completed: true }, formerCollaborator)
    await world.db`delete from accounts where id = ${formerCollaborator.id}`
    const { body } = await send('GET', `/${projectId}/tasks/${id}`, owner)
    expect(body.task).toMatchObject({ assignee_account_id: null, completed_by: null })
    expect(body.task.completed_at).not.toBeNull()
    expect(body.collaborators.map((one) => one.account_id)).not.toContain(formerCollaborator.id)
  })
})

describe('comments', () => {
  test('are plain text by a named author, listed oldest first and counted', async () => {
    await world.db`update accounts set name = 'Grace' where id = ${owner.id}`
    const { id } = await addTask()
    const texts = ['<b>first</b> & [a](b)', 'second', 'x'.repeat(4000)]
    for (const body of texts) expect((await postComment(id, ` ${body} `)).body.comment.body).toBe(body)
    const read = await send('GET', `/${projectId}/tasks/${id}`, owner)
    expect(read.body.comments.map(({ body }) => body)).toEqual(texts)
    expect(read.body.comments[0]).toMatchObject({ account_id: owner.id, author_name: 'Grace' })
    expect(read.body.task.comment_count).toBe(3)
    const page = await send('GET', `/${projectId}/tasks/${id}/comments?limit=1&offset=1`, owner)
    expect(page.body.comments.map(({ body }) => body)).toEqual(['second'])
    await world.db`update accounts set name = null where id = ${owner.id}`
  })

  test.each(['', '   ', 'x'.repeat(4001)])('of a wrong length are rejected', async (body) => {
    const { id } = await addTask()
    expect((await postComment(id, body)).status).toBe(400)
  })

  test('are written once per Idempotency-Key', async () => {
    const { id } = await addTask()
    const sent = { headers: { 'idempotency-key': randomUUID() } }
    const path = `/${projectId}/tasks/${id}/comments`
    await Promise.all([1, 2].map(() => send('POST', path, owner, { body: 'Once' }, sent)))
    await send('POST', path, owner, { body: 'Once' }, sent)
    expect((await send('GET', path, owner)).body.comments).toHaveLength(1)
  })
})
