import { afterAll, beforeAll, expect, test } from 'vitest'
import { listArtists } from '../../db/artists/artists.ts'
import { countPosts, listPosts } from '../../db/artists/posts.ts'
import { listSocials } from '../../db/artists/socials.ts'
import { listKeys } from '../../db/accounts/keys.ts'
import { listCatalogs } from '../../db/catalogs/catalogs.ts'
import { listSongs } from '../../db/catalogs/songs.ts'
import { listContentVideos } from '../../db/content/videos.ts'
import { listEntries } from '../../db/credits/entries.ts'
import { listUsage } from '../../db/credits/usage.ts'
import { listJobs } from '../../db/jobs/jobs.ts'
import { listMeasurementJobs } from '../../db/measurements/read.ts'
import { listInboxMessages } from '../../db/mail/inbox.ts'
import { listGenerations } from '../../db/music/read.ts'
import { listMembers, listMemberships } from '../../db/organizations/memberships.ts'
import { listIntents } from '../../db/payments/intents.ts'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { listComments } from '../../db/projects/comments.ts'
import { listCollaborators, listProjects } from '../../db/projects/projects.ts'
import { countTasks, listTasks as listProjectTasks } from '../../db/projects/tasks.ts'
import { countRuns, listRuns, maxCounted } from '../../db/runs/list.ts'
import { listAccountSandboxes } from '../../db/sandboxes/personal.ts'
import { listAccountChats, listChats } from '../../db/sessions/chats.ts'
import { listBranches } from '../../db/sessions/branches.ts'
import { listMessages } from '../../db/sessions/messages.ts'
import { listRunsOfBatch } from '../../db/scrapers/read.ts'
import { countArchivedSessions, listSessions } from '../../db/sessions/sessions.ts'
import { listShares } from '../../db/sessions/shares.ts'
import { listSummaries } from '../../db/sessions/summaries.ts'
import { listTasks } from '../../db/tasks/tasks.ts'
import { listTemplates } from '../../db/templates/view.ts'
import { listUnacceptedQueues } from '../../db/turns/queue/accept-next.ts'
import { listValuations } from '../../db/valuation/history.ts'
import { turnKind } from '../../domain/runs/listed-run.ts'
import { scaled } from '../cost/scale.ts'
import { createWorld, type World } from '../world/world.ts'

/**
 * Number of rows of each table. The owner of the lists has a third of the rows of most tables, and a page may read far
 * fewer, so that the limits do not depend on the table size. With a million rows (`PROOF_SCALE=33`), filling the tables takes five
 * minutes and 8 GB.
 */
const rows = scaled(30_000, 30_000)
/** Maximum number of rows that a node may sort or scan for a page of a hundred rows. */
const maxRows = 1000
/** Maximum number of buffers of 8 KB for a page, including a few for the related rows of each row. */
const maxBuffers = 2000
/** Maximum number of buffers for a total, which reads the owner's index entries, at least a hundred per buffer. */
const maxTotalBuffers = rows / 100
const page = { limit: 100, offset: 0 }

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

type Plan = { root: Node; nodes: Node[]; buffers: number }

let world: World
let db: Pool
const plans: Node[] = []
beforeAll(async () => {
  world = await createWorld({ worker: false })
  db = connectWithLongTimeout({
    name: 'plans',
    onNotice: ({ message = '' }) => {
      if (!message.startsWith('duration')) return
      plans.push((JSON.parse(message.slice(message.indexOf('{'))) as { Plan: Node }).Plan)
    },
  })
  await fillTables()
  await db`load 'auto_explain'`
  await db.unsafe(`
    set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_buffers = on;
    set auto_explain.log_format = json; set auto_explain.log_timing = off; set auto_explain.log_level = notice;
    set client_min_messages = notice`)
}, 1_800_000)
afterAll(async () => {
  await db.end()
  await world.close()
})

/** Opens one connection whose statement timeout is sufficient to index the largest table. */
const connectWithLongTimeout = (options: { name: string; onNotice?: (notice: { message?: string }) => void }): Pool =>
  connect({ url: world.databaseUrl, max: 1, statementTimeoutMs: 600_000, ...options })

/** Returns an SQL expression for the id of row `at` of any table. */
const uuidAt = (at: string | number) => `('00000000-0000-4000-8000-' || lpad(to_hex(${at}), 12, '0'))::uuid`
const ownerId = '00000000-0000-4000-8000-000000000001'
const member = '00000000-0000-4000-8000-000000000002'
const organization = '00000000-0000-4000-8000-000000000003'
/** SQL expression for the owner of row `i`. The owner of the lists, `ownerId`, owns every third row. */
const owner = uuidAt('i % 3')
/** Id of a session and a catalog with 10,000 members. No list contains them, because lists read all members of a row. */
const crowdedId = '00000000-0000-4000-8000-000000895441'
const crowdedIdExpression = `'${crowdedId}'::uuid`

type Values = Record<string, string>

/** SQL expressions of column values for row `i`. Omitted columns without a default get a value of their type. */
const filledTables: Record<string, Values> = {
  accounts: {
    id: uuidAt('i'),
    kind: `case when i > 100 then 'artist' else 'person' end`,
    name: `i || repeat('x', 500)`,
  },
  sessions: { id: `case i when 5 then ${crowdedIdExpression} else ${uuidAt('i')} end`, account_id: owner },
  chat_messages: {
    chat_id: `case i % 2 when 0 then ${uuidAt(1)} else ${uuidAt('i')} end`,
    id: `'m' || i`,
    role: `case i % 2 when 0 then 'user' else 'assistant' end`,
  },
  chat_message_parts: {
    chat_id: uuidAt('i'),
    message_id: `'m' || i`,
    part: `case when i % 300 = 1 then '{"state":"approval-requested"}' else '{"type":"text"}' end::json`,
  },
  runs: {
    account_id: owner,
    source: `'web'`,
    chat_id: uuidAt('i'),
    assistant_message_id: `'m' || i`,
    status: `'completed'`,
    end_reason: `case when i % 300 = 1 then 'awaiting_user' end`,
  },
  background_runs: {
    account_id: owner,
    task_identifier: `case when i % 300 = 1 then 'render-music' else 'other' end`,
    status: `'COMPLETED'`,
    finished_at: 'now()',
  },
  credit_ledger: { account_id: owner, kind: `'charge'`, amount: '-1', balance_after: '0' },
  usage_events: { account_id: owner, source: `'web'`, credits: 'i % 1000' },
  music_generations: {
    account_id: owner,
    status: `case when i % 300 = 1 then 'failed' else 'pending' end`,
    error_message: `case when i % 300 = 1 then 'x' end`,
  },
  agent_templates: { creator: owner, is_private: 'i % 10 = 1', title: `md5(i::text)` },
  catalog_songs: {
    catalog_id: `case i % 3 when 1 then ${crowdedIdExpression} else ${uuidAt('i')} end`,
    isrc: `'I' || i`,
  },
  chats: {
    id: uuidAt('i'),
    session_id: `case when i % 2 = 0 then ${crowdedIdExpression} else ${uuidAt('i')} end`,
    owner_account_id: owner,
  },
  chat_queue: {
    chat_id: uuidAt('i'),
    on_busy: `'queue'`,
    state: `case when i % 300 = 1 then 'waiting' else 'accepted' end`,
    message: `'{}'`,
    history: `'{}'`,
    ended_at: `case when i % 300 = 1 then null else now() end`,
    source: `'web'`,
  },
  payment_intents: { account_id: owner, purpose: `'topup'`, path: `'card'`, credits: '1', total_cents: '1' },
  content_runs: { account_id: owner, state: `'failed'`, error: `'x'` },
  songs: { isrc: `'I' || i`, name: `repeat('x', 500)` },
  tasks: { account_id: owner },
  project_tasks: { project_id: owner },
  project_task_comments: { task_id: owner, account_id: uuidAt(1) },
  account_api_keys: { account_id: owner },
  playcount_snapshots: { account_id: owner, album_count: '1' },
  catalog_valuations: { catalog_id: owner, source: `'run'` },
  account_sandboxes: { account_id: owner },
  catalogs: { id: uuidAt('i') },
  account_catalogs: {
    account_id: owner,
    catalog_id: uuidAt('i'),
    catalog_created_at: `now() - i * interval '1 second'`,
  },
  socials: { id: uuidAt('i') },
  account_socials: { account_id: uuidAt('i'), social_id: uuidAt('i') },
  posts: { id: uuidAt('i'), published_at: `now() - i * interval '1 second'` },
  // A profile has thousands of posts, independently of the table size.
  social_posts: {
    social_id: `case when i <= 30000 then ${owner} else ${uuidAt('i')} end`,
    post_id: uuidAt('i'),
    published_at: `now() - i * interval '1 second'`,
  },
  projects: { id: uuidAt('i') },
  project_collaborators: {
    project_id: `case i % 3 when 2 then ${uuidAt(2)} else ${uuidAt('i')} end`,
    account_id: `case i % 3 when 2 then ${uuidAt('i')} else ${owner} end`,
    project_created_at: `now() - i * interval '1 second'`,
  },
  // The roster is short, because a page sorts the whole roster by name.
  account_artist_ids: {
    account_id: `case when i <= 200 then ${uuidAt(1)} else ${uuidAt('i')} end`,
    artist_id: uuidAt('i + 100'),
  },
  artist_workspace_texts: { workspace_id: uuidAt('i'), artist_id: uuidAt('i + 100') },
  chat_shares: { chat_id: uuidAt('i'), token_hash: `'t' || i`, expires_at: 'now()' },
  chat_summaries: {
    chat_id: uuidAt('i'),
    made_for: `'x' || i`,
    message_ids: `array['m']`,
    tokens_before: '1',
    tokens_after: '1',
  },
  chat_branches: { id: `'b' || i`, chat_id: uuidAt('i'), kind: `'edit'` },
  scraper_runs: { run_id: `'r' || i`, batch_run_id: `'x' || i / 10`, position: 'i' },
  inbox_messages: { idempotency_key: `'k' || i`, recipients: `array['a' || i % 300 || '@example.com']`, raw: `''` },
  account_organization_ids: {
    account_id: `case i % 3 when 1 then ${uuidAt(2)} else ${uuidAt('i')} end`,
    organization_id: `case i % 3 when 2 then ${uuidAt(3)} else ${uuidAt('i')} end`,
    state: `'member'`,
  },
}
const tables = new Set(Object.keys(filledTables))
/** Maximum numbers of rows of tables that a sweep trims. */
const trimmedTables: Record<string, number> = { inbox_messages: 5000 }

const byType: Record<string, string> = {
  uuid: uuidAt('i'),
  text: `'x' || i`,
  boolean: 'false',
  jsonb: `'{}'::jsonb`,
  ARRAY: `'{}'::text[]`,
  integer: '0',
  bigint: '0',
  numeric: '0',
}

type Column = { name: string; type: string; isNeeded: boolean; isTime: boolean }

/** Inserts the rows without triggers, foreign keys and index entries, and then builds each index in one pass. */
async function fillTable(filler: Pool, table: string, columnValues: Values): Promise<void> {
  const columns = await filler<Column[]>`
    select column_name as name, data_type as type, column_name in ('created_at', 'measured_at') as is_time,
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER' as is_needed
    from information_schema.columns where table_name = ${table} and table_schema = 'public'`
  const values = new Map(
    columns
      .filter(({ isNeeded, isTime }) => isNeeded || isTime)
      .map(({ name, type, isTime }) => [name, isTime ? `now() - i * interval '1 second'` : (byType[type] ?? 'null')]),
  )
  for (const [name, value] of Object.entries(columnValues)) values.set(name, value)
  const count = Math.min(rows, trimmedTables[table] ?? rows)
  const names = [...values.keys()].map((name) => `"${name}"`)
  // Inserts skip indexes that are not ready, including those of primary keys. A reindex makes them ready again.
  await filler`update pg_index set indisready = false where indrelid = ${table}::regclass`
  await filler.unsafe(
    `insert into ${table} (${names.join()}) select ${[...values.values()].join()} from generate_series(1, ${count}) i`,
  )
  await filler.unsafe(`reindex table ${table}`)
}

async function fillTables(): Promise<void> {
  const waiting = Object.entries(filledTables)
  const fillers = ['first filler', 'second filler'].map((name) => connectWithLongTimeout({ name }))
  const fill = async (filler: Pool): Promise<void> => {
    await filler.unsafe(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'`,
    )
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await fillTable(filler, ...next)
  }
  try {
    await Promise.all(fillers.map(fill))
  } finally {
    await Promise.all(fillers.map((filler) => filler.end()))
  }
  await db`update public_template_count set count = (select count(*) from agent_templates where not is_private)`
  await db.unsafe(`vacuum analyze ${[...tables].join()}`)
}

const filter = { accountId: ownerId, children: false, waiting: false }
const usage = { accountId: ownerId, from: new Date(0), to: new Date(), limit: 100 } as const
const viewer = { accountId: ownerId, admins: { organizationId: undefined, accountIds: [] } }

const lists: [string, () => PromiseLike<unknown>][] = [
  ['sessions', () => listSessions(db, ownerId, { status: 'all', ...page })],
  ['chats of a session', () => listChats(db, { sessionId: crowdedId, readerId: ownerId, ...page })],
  ['chats of an account', () => listAccountChats(db, ownerId, { artistId: undefined, ...page })],
  ['catalogs', () => listCatalogs(db, ownerId, page)],
  ['posts of an artist', () => listPosts(db, ownerId, page)],
  ['projects', () => listProjects(db, ownerId, page)],
  ['memberships', () => listMemberships(db, member, { state: 'member', ...page })],
  ['members', () => listMembers(db, organization, page)],
  ['messages of a chat', () => listMessages(db, ownerId, { limit: 100 })],
  ['chats whose queue continues', () => listUnacceptedQueues(db, { limit: 100 })],
  ['runs', () => listRuns(db, filter, { limit: 100 })],
  ['turns', () => listRuns(db, { ...filter, kinds: [turnKind] }, { limit: 100 })],
  ['turns that wait for the user', () => listRuns(db, { ...filter, waiting: true }, { limit: 50 })],
  ['jobs of one kind', () => listRuns(db, { ...filter, kinds: ['render-music'] }, { limit: 100 })],
  ['jobs of two kinds', () => listRuns(db, { ...filter, kinds: ['render-music', 'other'] }, { limit: 100 })],
  ['background runs', () => listJobs(db, ownerId, page)],
  ['the ledger', () => listEntries(db, { accountId: ownerId, limit: 100 })],
  ['usage by time', () => listUsage(db, { ...usage, sort: 'created_at' })],
  ['usage by cost', () => listUsage(db, { ...usage, sort: 'cost' })],
  ['payments', () => listIntents(db, ownerId, { limit: 100, after: undefined })],
  ['music', () => listGenerations(db, { accountId: ownerId, withOrganizations: true }, page)],
  ['failed music', () => listGenerations(db, { accountId: ownerId, withOrganizations: true, status: 'failed' }, page)],
  ['videos', () => listContentVideos(db, { accountId: ownerId, limit: 100 })],
  ['templates', () => listTemplates(db, viewer, page)],
  ['songs of a catalog', () => listSongs(db, { catalogIds: [crowdedId] }, page)],
  ['tasks', () => listTasks(db, { accountId: ownerId, ...page })],
  ['enabled tasks', () => listTasks(db, { accountId: ownerId, enabled: true, ...page })],
  ['tasks of a project', () => listProjectTasks(db, ownerId, page)],
  ['comments of a task', () => listComments(db, ownerId, page)],
  ['keys', () => listKeys(db, ownerId, page)],
  ['measurement jobs', () => listMeasurementJobs(db, ownerId, page)],
  ['valuations of a catalog', () => listValuations(db, ownerId, page)],
  ['artists', () => listArtists(db, { accountId: ownerId }, page)],
  ['collaborators', () => listCollaborators(db, member, page)],
  ['profiles of an artist', () => listSocials(db, ownerId, page)],
  ['links of a chat', () => listShares(db, ownerId)],
  ['summaries of a chat', () => listSummaries(db, ownerId)],
  ['branches of a chat', () => listBranches(db, ownerId)],
  ['profiles of a scrape', () => listRunsOfBatch(db, 'x1')],
  ['the inbox', () => listInboxMessages(db, page)],
  ['emails to an address', () => listInboxMessages(db, { recipient: 'a1@example.com', ...page })],
  ['sandboxes', () => listAccountSandboxes(db, ownerId, page)],
]

const totals: [string, () => PromiseLike<unknown>][] = [
  ['archived sessions', () => countArchivedSessions(db, ownerId)],
  ['posts of an artist', () => countPosts(db, ownerId)],
  ['tasks of a project', () => countTasks(db, ownerId)],
]

/** Returns the plans of the executed statements. Fails if one of them scans a large table. */
const explain = async (run: () => PromiseLike<unknown>): Promise<Plan[]> => {
  plans.length = 0
  await run()
  expect(plans.length).toBeGreaterThan(0)
  return plans.map((plan) => {
    const nodes = flatten(plan)
    const scans = nodes.filter(({ 'Node Type': type }) => type.endsWith('Seq Scan'))
    expect(scans.map((node) => node['Relation Name']).filter((name) => name !== undefined && tables.has(name))).toEqual(
      [],
    )
    return { root: plan, nodes, buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
  })
}

test.each(lists)('a page of %s reads a limited number of rows of a large table', async (_, list) => {
  const explained = await explain(list)
  expect(Math.max(...explained.map(({ root }) => root['Actual Rows']))).toBeGreaterThan(0)
  for (const { root, nodes, buffers } of explained) {
    // The input of a sort determines the number of sorted rows.
    const sorted = nodes
      .filter(({ 'Node Type': type }) => type === 'Sort')
      .flatMap(({ Plans: inputs = [] }) => inputs.map((input) => input['Actual Rows'] * input['Actual Loops']))
    expect(Math.max(0, ...sorted)).toBeLessThanOrEqual(maxRows)
    expect(buffers).toBeLessThanOrEqual(isTotal(root) ? Math.max(maxBuffers, maxTotalBuffers) : maxBuffers)
  }
})

test.each(totals)('the total of %s in a large table is counted from an index', async (_, total) => {
  for (const { buffers } of await explain(total)) expect(buffers).toBeLessThanOrEqual(maxTotalBuffers)
})

test('the runs of an account are counted by status in one statement that reads the newest runs from an index', async () => {
  const [counted, ...others] = await explain(() => countRuns(db, filter))
  expect(others).toEqual([])
  for (const { 'Relation Name': table, 'Actual Rows': count, 'Actual Loops': loops } of counted?.nodes ?? [])
    // An incremental sort reads one additional row.
    if (table !== undefined) expect(count * loops).toBeLessThanOrEqual(maxCounted + 1)
})

/** Whether the node computes the total that a list returns with its page. */
function isTotal({ 'Node Type': type, 'Actual Rows': count }: Node): boolean {
  return count === 1 && (type === 'Aggregate' || type === 'Result')
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
