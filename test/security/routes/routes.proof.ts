import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRoutes } from '../../../api/app.ts'
import { createMetrics } from '../../../api/monitoring/metrics.ts'
import type { Route } from '../../../api/http/route.ts'
import { insertRunKey, deriveRunKey } from '../../../db/runs/keys.ts'
import { taskRunJob } from '../../../domain/tasks/runs.ts'
import { saveWorkspace } from '../../../db/sandboxes/sandboxes.ts'
import { linkProfile, ensureSocial } from '../../../db/artists/socials.ts'
import { newJobId } from '../../../domain/fields/ids.ts'
import { parseProfile } from '../../../domain/artists/profiles.ts'
import { profileHosts } from '../../../config.ts'
import type { Engine } from '../../../engine/client.ts'
import { acceptRun, createSession, giveSandbox } from '../../world/sessions/session-rows.ts'
import { createWorld, type Sent, type TestAccount, type World } from '../../world/world.ts'
import { makeSnapshot } from '../../catalogs/catalogs.ts'
import { routeAccess } from './access.ts'
import type { CallerName, RouteRequest, Victim } from './sending.ts'

let world: World
let routes: Route[]
let foreignOrganization: { id: string }
let members: { colleague: TestAccount; organizationId: string }
let callers: Record<Exclude<CallerName, 'owner' | 'run' | 'run of a member'>, Sent>
let victim: Victim
/** A member of the victim's organization, whose run attacks the victim. */
let member: Victim

const readSecret = (): string => world.config.SERVER_SECRET ?? ''
const formatRoute = ({ method, path }: Route): string => `${method} ${path}`
const findRoute = (name: string): Route => {
  const route = routes.find((candidate) => formatRoute(candidate) === name)
  if (route === undefined) throw new Error(`no route ${name}`)
  return route
}

/** Rejects all calls, because allowed requests only have to pass their access check. */
const absentEngine = new Proxy({} as Engine, {
  get: () => () => Promise.reject(new Error('there is no engine')),
})

const makeRunKey = async (runId: string): Promise<string> => {
  await insertRunKey(world.db, readSecret(), runId)
  return deriveRunKey(readSecret(), runId)
}

const createRepository = async (ownerId: string): Promise<void> => {
  const host = world.deps.codeHost
  const { owner, name, cloneUrl } = await host.ensureRepository(ownerId)
  await saveWorkspace(world.db, ownerId, { repoOwner: owner, repoName: name, cloneUrl })
}

const insertArtist = async (accountId: string): Promise<{ artistId: string; socialId: string }> => {
  const { id: artistId } = await world.makeArtist({ rosterOf: accountId })
  const profile = parseProfile(`https://x.com/${randomUUID().slice(0, 12)}`, profileHosts(world.config))
  if (profile === undefined) throw new Error('no profile')
  const socialId = await world.db.begin(async (tx) => {
    const id = await ensureSocial(tx, profile)
    await linkProfile(tx, { artistId, socialId: id, addedBy: accountId })
    return id
  })
  return { artistId, socialId }
}

const readId = async (rows: Promise<{ id: string }[]>): Promise<string> => (await rows)[0]?.id ?? ''

/** Creates a member of the organization with a row in every table that routes access. */
const makeVictim = async (): Promise<Victim> => {
  const { organizationId } = members
  const account = await world.makeAccount({ organizationId })
  await world.db`
    insert into workspace_repositories (owner_id, repo_owner, repo_name, clone_url)
    values (${account.id}, 'workspaces', ${account.id}, ${`${world.config.baseUrl}/git/workspaces/${account.id}.git`})`
  const idle = await createSession(world, account, { title: 'Private' })
  await giveSandbox(world.db, idle.session.id)
  const live = await createSession(world, account)
  const chatIds = { sessionId: live.session.id, chatId: live.chat.id }
  const runId = await acceptRun(world.db, { accountId: account.id, ...chatIds })
  const approvals = { tools: ['fetch'], commands: [], headless: 'deny', waitSeconds: 60 }
  await world.db`update sessions set approvals = ${world.db.json(approvals)} where id = ${live.session.id}`
  const artist = await insertArtist(account.id)
  const taskId = await readId(world.db<{ id: string }[]>`
    insert into tasks (account_id, artist_account_id, title, prompt, schedule)
    values (${account.id}, ${artist.artistId}, 't', 'p', '0 9 * * 1') returning id`)
  const catalogId = await readId(
    world.db<{ id: string }[]>`insert into catalogs (name) values ('Private') returning id`,
  )
  await world.db`insert into account_catalogs (account_id, catalog_id) values (${account.id}, ${catalogId})`
  await world.db`insert into songs (isrc) values ('ZZAAA0000002') on conflict do nothing`
  await world.db`insert into catalog_songs (catalog_id, isrc, name) values (${catalogId}, 'ZZAAA0000002', 'Private')`
  const snapshotId = await makeSnapshot(world, account.id)
  const batchRunId = newJobId()
  await world.db`
    insert into scraper_batches (run_id, dataset_id, account_id, credits, state)
    values (${batchRunId}, ${randomUUID()}, ${account.id}, 0, 'COMPLETED')`
  const generationId = await readId(world.db<{ id: string }[]>`
    insert into music_generations (account_id, run_id, model, prompt, lyrics, parameters)
    values (${account.id}, ${newJobId()}, 'm', 'Private', 'Private', '{"duration":10}') returning id`)
  const videoRunId = newJobId()
  await world.db`
    insert into content_runs (run_id, account_id, artist_name, wish, turn)
    values (${videoRunId}, ${account.id}, 'Private', '{"template":"Private","lipsync":false,"upscale":false,"captionLength":"none","songs":[],"images":[]}', 0)`
  const templateId = await readId(world.db<{ id: string }[]>`
    insert into agent_templates (title, description, prompt, creator, is_private)
    values ('Private', 'Private', 'Private', ${account.id}, true) returning id`)
  const projectId = await readId(
    world.db<{ id: string }[]>`insert into projects (name) values ('Private') returning id`,
  )
  await world.db`insert into project_collaborators (project_id, account_id) values (${projectId}, ${account.id})`
  const projectTaskId = await readId(world.db<{ id: string }[]>`
    insert into project_tasks (project_id, title) values (${projectId}, 'Private') returning id`)
  const connectedAccountId = `ca_${randomUUID()}`
  await world.db`
    insert into connector_connections (connected_account_id, workspace_id, subject_id, toolkit, active)
    values (${connectedAccountId}, ${account.id}, ${account.id}, 'notebook', true)`
  const jobId = newJobId()
  await world.db`
    insert into background_runs (id, account_id, task_identifier, version, status, finished_at)
    values (${jobId}, ${account.id}, 'setup-sandbox', 'v', 'COMPLETED', now())`
  const keyId = await readId(world.db<{ id: string }[]>`
    insert into account_api_keys (account_id, name, key_hash) values (${account.id}, 'spare', ${randomUUID()})
    returning id`)
  return {
    account,
    runKey: await makeRunKey(runId),
    organizationId,
    sessionId: idle.session.id,
    liveSessionId: live.session.id,
    chatId: idle.chat.id,
    liveChatId: live.chat.id,
    runId,
    ...artist,
    catalogId,
    snapshotId,
    batchRunId,
    generationId,
    videoRunId,
    templateId,
    projectId,
    projectTaskId,
    connectedAccountId,
    taskId,
    jobId,
    keyId,
  }
}

beforeAll(async () => {
  world = await createWorld({ worker: false })
  routes = listRoutes(world.deps, createMetrics())
  const organization = await world.makeOrganization()
  const colleague = await world.makeAccount({ organizationId: organization.id })
  foreignOrganization = await world.makeOrganization()
  members = { colleague, organizationId: organization.id }
  await createRepository(organization.id)
  victim = await makeVictim()
  member = await makeVictim()
  const [outsider, former, invited] = [
    await world.makeAccount(),
    await world.makeAccount({ organizationId: organization.id }),
    await world.makeAccount(),
  ]
  const membershipPath = `/api/organizations/members?organization_id=${organization.id}&account_id=${former.id}`
  expect((await world.request('DELETE', membershipPath, { key: colleague.key })).status).toBe(200)
  await world.db`
    insert into account_organization_ids (account_id, organization_id, state)
    values (${invited.id}, ${organization.id}, 'invited')`
  const organizationRun = { accountId: organization.id, sessionId: randomUUID(), chatId: randomUUID() }
  const runId = `wrun_${randomUUID()}`
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id)
    values (${runId}, ${organizationRun.accountId}, ${organizationRun.sessionId}, ${organizationRun.chatId}, 'answer',
      'running', 'api', 'local/assistant')`
  callers = {
    stranger: {},
    outsider: { key: outsider.key },
    'outsider with a bearer': { bearer: await world.deps.issuer?.issue(outsider.email) },
    'former member': { key: former.key },
    invited: { key: invited.key },
    member: { key: colleague.key },
    organization: { key: await makeRunKey(runId) },
  }
})
afterAll(() => world.close())

const chooseCredentials = (caller: CallerName, target: Victim): Sent => {
  if (caller === 'owner') return { key: target.account.key }
  if (caller === 'run of a member') return { key: member.runKey }
  return caller === 'run' ? { key: target.runKey } : callers[caller]
}

const sendAs = (name: string, caller: CallerName, target: Victim) =>
  callRoute(name, chooseCredentials(caller, target), routeAccess[name]?.request?.(target) ?? {})

const callRoute = async (name: string, credentials: Sent, { params = {}, query, body, headers }: RouteRequest) => {
  const { method, path } = findRoute(name)
  const pathWithIds = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => params[key] ?? randomUUID())
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const sent = { ...credentials, ...(body !== undefined && { body }), ...(headers && { headers }) }
  const response = await world.fetch(method, pathWithIds + search, sent)
  // The stream of a running turn does not end.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const text = isStream ? '' : await response.text()
  if (isStream) await response.body?.cancel()
  return { status: response.status, text }
}

const denials = [401, 403, 404]
const allCallers: CallerName[] = [
  'stranger',
  'outsider',
  'outsider with a bearer',
  'former member',
  'invited',
  'organization',
  'member',
  'run of a member',
  'run',
  'owner',
]

const runCallers: CallerName[] = ['run', 'organization', 'run of a member']

const listAllowedCallers = (name: string): CallerName[] => {
  const { widensAccess, sharedReads } = findRoute(name)
  const allowed = routeAccess[name]?.allowed ?? []
  if (widensAccess === true) return allowed.filter((caller) => !runCallers.includes(caller))
  return sharedReads === true ? [...allowed, 'run of a member'] : [...allowed]
}

const listAuthenticatedRoutes = (): string[] => routes.filter(({ auth }) => auth !== 'none').map(formatRoute)

test('every route has an access rule, and every access rule has a route', () => {
  expect(Object.keys(routeAccess).toSorted()).toEqual(routes.map(formatRoute).toSorted())
})

test("a caller without access to another account's row is rejected and receives no data of the row", () =>
  world.withEngine(absentEngine, async () => {
    for (const name of listAuthenticatedRoutes())
      await Promise.all(
        allCallers
          .filter((caller) => !listAllowedCallers(name).includes(caller))
          .map(async (caller) => {
            const { status, text } = await sendAs(name, caller, victim)
            const expected = caller === 'stranger' ? [401] : denials
            expect({ name, caller, status, refused: expected.includes(status) }).toMatchObject({ refused: true })
            expect([name, caller, text]).not.toEqual([name, caller, expect.stringContaining('Private')])
          }),
      )
  }))

test('a caller with access to the same row is not rejected', () =>
  world.withEngine(absentEngine, async () => {
    for (const name of listAuthenticatedRoutes())
      for (const caller of listAllowedCallers(name)) {
        const { status, text } = await sendAs(name, caller, name.startsWith('DELETE') ? await makeVictim() : victim)
        const refused = denials.includes(status) && status !== routeAccess[name]?.statusAfterCheck
        expect({ name, caller, status, text: refused ? text : '', refused }).toMatchObject({ text: '', refused: false })
      }
  }))

test('a route without credentials is public or requires a secret in its URL or body', async () => {
  for (const route of routes.filter(({ auth }) => auth === 'none')) {
    const name = formatRoute(route)
    const { status } = await sendAs(name, 'stranger', victim)
    const isPublic = routeAccess[name]?.allowed.includes('stranger') === true
    expect({ name, status, works: status < 400 }).toEqual({ name, status, works: isPublic })
  }
})

const accountFields = ['account_id', 'accountId', 'organization_id', 'organizationId', 'org_id']

/** Builds requests for the member's rows that name another account in one field of the query or of the body. */
const buildRequestsFor = (
  spelling: string,
  target: string,
  memberRequest: RouteRequest,
  method: string,
): RouteRequest[] => {
  const { [spelling]: _, ...query } = memberRequest.query ?? {}
  const inQuery = { ...memberRequest, query: { ...query, [spelling]: target } }
  if (method === 'GET' || typeof memberRequest.body === 'string') return [inQuery]
  return [inQuery, { ...memberRequest, body: { ...(memberRequest.body as object | undefined), [spelling]: target } }]
}

/** Returns a digest by table of all rows that contain the account id. */
const readRows = async (accountId: string): Promise<Record<string, string>> => {
  const tables = await world.db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('audit_log', 'account_api_keys')`
  const digests = tables.map(async ({ name }): Promise<[string, string]> => {
    const [row] = await world.db<[{ digest: string }]>`
      select coalesce(md5(string_agg(row::text, '' order by row::text)), '') as digest
      from ${world.db(name)} as row where row::text like ${`%${accountId}%`}`
    return [name, row.digest]
  })
  return Object.fromEntries(await Promise.all(digests))
}

/** Lists the work that the member's run started and that inherited nothing. Without an engine, no task is created. */
const listWithoutInheritance = ({ account: { id }, sessionId, liveSessionId, runId }: Victim) => world.db`
  select 'run' as kind, id from runs where account_id = ${id} and id <> ${runId} and inherited is null
  union all
  select 'queued message', q.id from chat_queue q join chats on chats.id = q.chat_id
    join sessions on sessions.id = chats.session_id where sessions.account_id = ${id} and q.inherited is null
  union all
  select 'run of a task', id from background_runs
  where account_id = ${id} and task_identifier = ${taskRunJob} and inherited is null
  union all
  select 'session', id::text from sessions
  where account_id = ${id} and approvals is null and id not in (${sessionId}, ${liveSessionId})`

test('a run key cannot act for another account, whichever field of the request names that account', () =>
  world.withEngine(absentEngine, async () => {
    const before = await readRows(victim.account.id)
    const routeNames = listAuthenticatedRoutes().toSorted(
      (left, right) => Number(left.startsWith('DELETE')) - Number(right.startsWith('DELETE')),
    )
    for (const name of routeNames) {
      const route = findRoute(name)
      const memberRequest = routeAccess[name]?.request?.(member) ?? {}
      const requests = accountFields.flatMap((spelling) => {
        if (spelling.startsWith('org'))
          return buildRequestsFor(spelling, foreignOrganization.id, memberRequest, route.method)
        const personRequests = buildRequestsFor(spelling, victim.account.id, memberRequest, route.method)
        return route.method === 'GET'
          ? personRequests
          : [...personRequests, ...buildRequestsFor(spelling, members.organizationId, memberRequest, route.method)]
      })
      const sendAsMember = (sending: RouteRequest) => callRoute(name, { key: member.runKey }, sending)
      const responses = await Promise.all(requests.map(sendAsMember))
      const unlimited = responses.filter(({ status }) => status !== 429)
      expect([name, unlimited.length]).toEqual([name, requests.length])
      if (route.sharedReads === true || route.method !== 'GET') continue
      const namesVictim = ({ text }: { text: string }): boolean => text.includes(victim.account.id)
      // The list of colleagues names the victim without these fields.
      if (namesVictim(await sendAsMember(memberRequest))) continue
      expect([name, responses.filter(namesVictim)]).toEqual([name, []])
    }
    expect(await readRows(victim.account.id)).toEqual(before)
    await world.deps.audit.close()
    // Members push to the repository of their organization.
    const actedFor = await world.db`
      select action, object from audit_log
      where result < 400 and caller = ${member.account.id} and effective_account <> ${member.account.id}
        and action not like '%/git/%'`
    expect(actedFor).toEqual([])
    expect(await listWithoutInheritance(member)).toEqual([])
  }))
