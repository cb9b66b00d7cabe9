import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

let world: World
let owner: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false })
  owner = await world.makeAccount()
})
afterAll(() => world.close())

/** Returns a text with the maximum of four bytes per character. */
const createFourByteText = (characters: number): string => '😀'.repeat(characters)

const makeProject = async (): Promise<string> => {
  type Made = { project: { id: string } }
  const { body } = await world.request<Made>('POST', '/api/projects', { key: owner.key, body: { name: 'Large' } })
  return body.project.id
}

const makeTask = async (projectId: string): Promise<string> => {
  const [row] = await world.db<[{ id: string }]>`
    insert into project_tasks (project_id, title) values (${projectId}, 'Task') returning id`
  return row.id
}

type Page = Record<string, object[]> & { next_offset?: number; pagination?: { next_offset?: number } }

const read = async (path: string): Promise<Page> => {
  const { status, body } = await world.request<Page>('GET', path, { key: owner.key })
  expect(status).toBe(200)
  return body
}

/** A list, and a function that creates rows of the maximum size and returns the URL prefix of the list. */
type LargeList = [list: string, count: number, limit: number, createRows: (count: number) => Promise<string>]

test.each<LargeList>([
  [
    'templates',
    150,
    500,
    async (count) => {
      await world.db`
        insert into agent_templates (title, description, prompt, creator, is_private)
        select 'Template ' || n, 'A large template', ${createFourByteText(10_000)}, ${owner.id}, true
        from generate_series(1, ${count}::int) as n`
      return '/api/agents/templates?'
    },
  ],
  [
    'songs',
    100,
    100,
    async (count) => {
      type Made = { catalog: { id: string } }
      const made = await world.request<Made>('POST', '/api/catalogs', { key: owner.key, body: { name: 'Large' } })
      const catalogId = made.body.catalog.id
      await world.db`insert into songs (isrc) select 'QZLRG' || 1000000 + n from generate_series(1, ${count}::int) as n`
      await world.db`
        insert into catalog_songs (catalog_id, isrc, lyrics)
        select ${catalogId}, isrc, ${createFourByteText(20_000)} from songs where isrc like 'QZLRG%'`
      return `/api/catalogs/songs?catalog_id=${catalogId}&`
    },
  ],
  [
    'tasks',
    20,
    100,
    async (count) => {
      await world.db`
        insert into tasks (account_id, artist_account_id, title, prompt, schedule)
        select ${owner.id}, ${owner.id}, 'Task ' || n, ${createFourByteText(100_000)}, '0 9 * * *'
        from generate_series(1, ${count}::int) as n`
      return '/api/tasks?'
    },
  ],
  [
    'tasks',
    150,
    500,
    async (count) => {
      const projectId = await makeProject()
      await world.db`
        insert into project_tasks (project_id, title, description)
        select ${projectId}, 'Task ' || n, ${createFourByteText(10_000)} from generate_series(1, ${count}::int) as n`
      return `/api/projects/${projectId}/tasks?`
    },
  ],
  [
    'comments',
    350,
    500,
    async (count) => {
      const projectId = await makeProject()
      const taskId = await makeTask(projectId)
      await world.db`
        insert into project_task_comments (task_id, account_id, body)
        select ${taskId}, ${owner.id}, ${createFourByteText(4000)} from generate_series(1, ${count}::int) as n`
      return `/api/projects/${projectId}/tasks/${taskId}/comments?`
    },
  ],
  [
    'artists',
    150,
    200,
    async (count) => {
      await world.db`
        with artist as (
          insert into accounts (kind, name) select 'artist', 'Artist ' || n from generate_series(1, ${count}::int) as n
          returning id
        ), listed as (
          insert into account_artist_ids (account_id, artist_id) select ${owner.id}, id from artist
        )
        insert into artist_workspace_texts (workspace_id, artist_id, instruction)
        select ${owner.id}, id, ${createFourByteText(10_000)} from artist`
      return '/api/artists?'
    },
  ],
])(
  'a page of large %s (%i rows) contains at most about 4 MB of values and the offset of the next page',
  async (list, count, limit, createRows) => {
    const address = await createRows(count)
    const rowCounts: number[] = []
    let next: number | undefined = 0
    while (next !== undefined) {
      const body: Page = await read(`${address}limit=${limit}&offset=${next}`)
      const rows: object[] = body[list] ?? []
      expect(rows.length).toBeGreaterThan(0)
      // The 4 MB exclude field names and fields that are read separately.
      expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(4_400_000)
      next = body.next_offset ?? body.pagination?.next_offset
      rowCounts.push(rows.length)
      expect(next).toBe(next === undefined ? undefined : rowCounts.reduce((sum, rows) => sum + rows, 0))
    }
    expect(rowCounts.length).toBeGreaterThan(1)
    expect(rowCounts.reduce((sum, rows) => sum + rows, 0)).toBe(count)
  },
)

test('a row that is larger than the page size is on a separate page', async () => {
  const projectId = await makeProject()
  await world.db`
    insert into project_tasks (project_id, title, description)
    select ${projectId}, 'Task ' || n, ${'x'.repeat(5_000_000)} from generate_series(1, 2) as n`
  const page = await read(`/api/projects/${projectId}/tasks`)
  expect([page['tasks']?.length, page.pagination]).toEqual([
    1,
    { total_count: 2, limit: 100, offset: 0, next_offset: 1 },
  ])
})
