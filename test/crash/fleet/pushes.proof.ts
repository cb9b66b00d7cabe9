import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makePerson, type Person } from '../../world/people.ts'
import { scaled } from '../../cost/scale.ts'
import { eventually } from '../../world/world.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'

const execute = promisify(execFile)

const clientCount = 10
const pushesPerClient = scaled(10, 20)

let cluster: Cluster
let folder: string
let trees: string
let person: Person
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-pushes-'))
  trees = await mkdtemp(join(tmpdir(), 'backline-trees-'))
  const settings = { LIMIT_GIT_REQUESTS: '60', LIMIT_SHARE_PERCENT: '100' }
  cluster = await startCluster({ machines: 2, store: 's3', folder, settings, built: inject('built') })
  person = await makePerson(cluster.db, cluster.serverSecret, { credits: 1_000_000 })
  const { session } = await post<{ session: { id: string } }>('/api/sessions', {})
  await post('/api/sandbox', { sessionId: session.id })
  path = `/git/workspaces/${person.id}.git`
})
afterAll(async () => {
  await rm(trees, { recursive: true, force: true })
  expect(await cluster.close()).toEqual([])
})

const post = async <T>(route: string, body: object): Promise<T> => {
  const response = await fetch(`${cluster.loadBalancerUrl}${route}`, {
    method: 'POST',
    headers: { 'x-api-key': person.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

const git = async (cwd: string, ...args: string[]): Promise<string> => {
  const env = {
    PATH: process.env['PATH'],
    HOME: trees,
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Person',
    GIT_AUTHOR_EMAIL: 'person@example.com',
    GIT_COMMITTER_NAME: 'Person',
    GIT_COMMITTER_EMAIL: 'person@example.com',
  }
  const { stdout } = await execute('git', ['-c', 'gc.auto=0', ...args], { cwd, env, timeout: 120_000 })
  return stdout.trim()
}

const buildRemoteUrl = (apiUrl: string | undefined): string => {
  const url = new URL(`${apiUrl}${path}`)
  Object.assign(url, { username: 'x', password: person.key })
  return url.href
}

let treeCount = 0
const clone = async (apiUrl = cluster.loadBalancerUrl): Promise<string> => {
  const tree = join(trees, `tree-${++treeCount}`)
  await git(trees, 'clone', '--quiet', buildRemoteUrl(apiUrl), tree)
  return tree
}

const commit = async (tree: string, name: string, content: string | Uint8Array = name): Promise<string> => {
  await writeFile(join(tree, name), content)
  await git(tree, 'add', '-A')
  await git(tree, 'commit', '--quiet', '-m', `Write ${name}`)
  return git(tree, 'rev-parse', 'HEAD')
}

const readHead = async (): Promise<string> =>
  (await git(trees, 'ls-remote', buildRemoteUrl(cluster.loadBalancerUrl), 'refs/heads/main')).split('\t')[0] ?? ''

/** Pushes a tree. Returns the error of git, or undefined if the push was accepted. */
const push = (tree: string): Promise<string | undefined> =>
  git(tree, 'push', 'origin', 'main').then(
    () => undefined,
    (error: { stderr: string }) => error.stderr,
  )

/** Removes the repository caches of all machines. Ignores errors, because concurrent requests may add files. */
const removeCaches = async (): Promise<void> => {
  for (const machine of cluster.machines.list())
    await rm(join(cluster.machines.dataDir(machine), 'repository-store/cache'), { recursive: true, force: true }).catch(
      () => {},
    )
}

test('each of many parallel pushes through two machines is in the history or rejected as non-fast-forward', async () => {
  const accepted: string[] = []
  const refused: string[] = []
  const pushRepeatedly = async (client: number): Promise<void> => {
    const apis = cluster.apiUrls()
    const tree = await clone(apis[client % apis.length])
    for (let number = 0; number < pushesPerClient; number++) {
      const head = await commit(tree, `client-${client}-${number}`)
      const error = await push(tree)
      if (error === undefined) accepted.push(head)
      else {
        refused.push(error)
        await git(tree, 'fetch', '--quiet')
        await git(tree, 'reset', '--quiet', '--hard', 'origin/main')
      }
    }
  }
  const removing = setInterval(() => void removeCaches(), 3000)
  try {
    await Promise.all(Array.from({ length: clientCount }, (_, client) => pushRepeatedly(client)))
  } finally {
    clearInterval(removing)
  }
  expect(accepted.length + refused.length).toBe(clientCount * pushesPerClient)
  expect(accepted.length).toBeGreaterThan(clientCount / 2)
  expect(refused.length).toBeGreaterThan(clientCount / 2)
  for (const error of refused) expect(error).toMatch(/non-fast-forward|fetch first/)
  await removeCaches()
  const history = (await git(await clone(), 'log', '--format=%H')).split('\n')
  expect(accepted.filter((head) => !history.includes(head))).toEqual([])
  const tree = await clone(cluster.apiUrls()[0])
  await git(tree, 'fsck', '--full', '--strict')
})

test('a push during a failure of the object store changes no ref and can be repeated', async () => {
  const tree = await clone()
  const head = await readHead()
  const next = await commit(tree, 'large', crypto.getRandomValues(new Uint8Array(60_000)))
  cluster.hold('store')
  await cluster.pause('store')
  const pushing = push(tree)
  await eventually('the upload', async () => {
    const [row] =
      await cluster.db`select 1 from git_packs where state = 'uploading' and state_at > now() - interval '9 s'`
    return row
  })
  await cluster.kill('store')
  expect(await pushing).toContain('the object store does not respond: push again')
  expect(await readHead()).toBe(head)
  cluster.release('store')
  await cluster.untilReady()
  expect(await push(tree)).toBeUndefined()
  expect(await readHead()).toBe(next)
  await removeCaches()
  expect(await readdir(await clone())).toContain('large')
})
