import { insertMember } from '../../db/organizations/organizations.ts'
import { createChatApi } from '../chat/chat-api.ts'
import { createContentApi, picture, song } from '../content/content-api.ts'
import { fillChat, say } from '../world/sessions/session-rows.ts'
import { eventually, type TestAccount, type World } from '../world/world.ts'

export const adminOrganization = '11111111-1111-4111-8111-111111111111'

export const hostile = `<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script> [x](javascript:globalThis.pwned=1) ![y](https://tracker.example/x.png)`

/** Inserts a failed video with markup in every field that a third party can write. */
export const insertHostileVideo = async (world: World, accountId: string): Promise<void> => {
  const wish = { template: hostile, lipsync: false, upscale: false, captionLength: 'none', songs: [], images: [] }
  await world.db`
    insert into content_runs (run_id, account_id, artist_name, wish, turn, state, caption, error)
    values (${`run_${accountId}`}, ${accountId}, ${hostile}, ${JSON.stringify(wish)}::text::jsonb, 0, 'failed',
      ${hostile}, ${hostile})`
}

/** Creates a workspace repository with a file for the account. Returns the path of its commit page. */
const createRepository = async ({ db, deps: { codeHost } }: World, { id }: TestAccount): Promise<string> => {
  const repository = await codeHost.ensureRepository(`workspace-${id}`)
  await codeHost.writeFile(repository, { path: 'notes/plan.md', content: Buffer.from('# Plan'), message: 'Add a plan' })
  await db`
    insert into workspace_repositories (owner_id, repo_owner, repo_name, clone_url)
    values (${id}, ${repository.owner}, ${repository.name}, ${repository.cloneUrl})`
  const [commit] = await codeHost.listCommits(repository, { limit: 1 })
  return `/commits/${repository.owner}/${repository.name}/${commit?.sha}`
}

/** Creates data for every page of the console. Returns the path of each page and a text that the page shows. */
export const fillAccount = async (world: World, owner: TestAccount): Promise<[path: string, shows: string][]> => {
  const { makeRepository } = createContentApi(() => world)
  const sendRequest = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await world.request(method, path, { key: owner.key, body })
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return response.body as T
  }

  const commit = await createRepository(world, owner)
  await world.db`insert into accounts (id, kind, name) values (${adminOrganization}, 'organization', 'Operators')`
  await insertMember(world.db, owner.id, adminOrganization)
  const { artist } = await sendRequest<{ artist: { account_id: string } }>('POST', '/api/artists', {
    name: 'Nina Harlow',
  })
  const id = artist.account_id
  await sendRequest('PATCH', `/api/artists/${id}`, { profileUrls: { TIKTOK: 'https://www.tiktok.com/@nina' } })
  const scrape = await sendRequest<{ runId: string }>('POST', '/api/artist/socials/scrape', {
    artist_account_id: id,
    posts: 5,
  })
  const measured = await sendRequest<{ catalog: { id: string } }>('POST', '/api/valuation', {
    streaming_artist_id: 'releases2',
  })
  const { tasks } = await sendRequest<{ tasks: { id: string }[] }>('POST', '/api/tasks', {
    title: 'Weekly report',
    prompt: 'Summarize.',
    schedule: '0 9 * * 1',
    timezone: 'Europe/Berlin',
    artist_account_id: id,
  })
  const { project } = await sendRequest<{ project: { id: string } }>('POST', '/api/projects', { name: 'Spring single' })
  await sendRequest('POST', `/api/projects/${project.id}/tasks`, { title: 'Book the studio' })
  await sendRequest('POST', '/api/agents/templates', {
    title: 'Plan',
    description: 'Plans a release',
    prompt: 'Plan the release backwards.',
  })
  await sendRequest('POST', '/api/organizations', { name: 'Harbor Records' })
  await makeRepository(owner, { 'nina-harlow/cover.png': picture(), 'nina-harlow/harbor-lights.wav': song() })
  const { runIds } = await sendRequest<{ runIds: string[] }>('POST', '/api/content/create', { artist_account_id: id })
  const api = createChatApi(world)
  const chat = await api.openChatWithoutCommands(owner)
  await api.send(await api.openChatWithoutCommands(owner), '@ask Which format? WAV | MP3')
  await fillChat(world.db, chat.chatId, [say('Hello'), say('**Hello** and `code`\n\n- one\n- two', 'assistant')])
  await eventually('the end of every run', async () => {
    const { runs } = await sendRequest<{ runs: unknown[] }>('GET', '/api/runs?status=queued,running,retrying')
    return runs.length === 0 || undefined
  })
  return [
    ['/chat', 'What should the agent do?'],
    [`/chat/${chat.sessionId}/${chat.chatId}`, 'Hello and code'],
    ['/inbox', 'Which format?'],
    ['/runs', 'scrape socials'],
    [`/runs/${scrape.runId}`, 'Details'],
    ['/tasks', 'Weekly report'],
    [`/tasks/${tasks[0]?.id}`, 'Upcoming runs'],
    ['/money', 'Automatic top-up'],
    ['/artists', 'Nina Harlow'],
    [`/artists/${id}`, 'Workspace information'],
    ['/catalogs', 'Value'],
    [`/catalogs/${measured.catalog.id}`, 'Estimated value'],
    ['/valuation', 'Valuation method'],
    ['/scraping', 'Scrape an artist'],
    [`/scraping/${scrape.runId}`, 'Posts'],
    ['/music', 'Create a track'],
    ['/content', 'Harbor Lights'],
    [`/runs/${runIds[0]}`, 'Video'],
    ['/templates', 'Plans a release'],
    ['/projects', 'Spring single'],
    [`/projects/${project.id}`, 'Book the studio'],
    ['/receipt', 'This purchase is not among'],
    ['/account', 'Signed-in browsers'],
    ['/keys', 'Create a key'],
    ['/organizations', 'Harbor Records'],
    ['/connectors', 'Notebook'],
    ['/connectors/notebook', 'Add a note'],
    ['/sandboxes', 'Session sandboxes'],
    [`/files/${chat.sessionId}`, 'Add a plan'],
    [`/files/${chat.sessionId}?path=notes%2Fplan.md`, '# Plan'],
    [commit, '+# Plan'],
    ['/operator', 'Slowest routes'],
    ['/nowhere', 'Page not found'],
  ]
}
