import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CodeHostRefusedError, type GitService, type RepositoryName } from '../../../providers/code-host/index.ts'
import { createLocalCodeHost, createLocalGitHttp } from '../../../providers/code-host/local/local.ts'

type RecordedRequest = {
  method: string
  path: string
  authorization: string | undefined
  body: Record<string, unknown>
  query?: URLSearchParams
}

export type FakeGithub = {
  apiUrl: string
  requests: RecordedRequest[]
  /** Pushes wait until the returned function is called. */
  holdPushes(): () => void
  close: () => Promise<void>
}

export const fakeToken = 'ghp_a_token_of_the_tests'
export const fakeOrganization = 'acme'

type GithubResponse = { status: number; body?: unknown }

const notFound: GithubResponse = { status: 404, body: { message: 'Not Found' } }

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** Starts a fake GitHub with its REST API and git over HTTP. Stores bare repositories in `folder`. */
export const createFakeGithub = async (folder: string): Promise<FakeGithub> => {
  const root = join(folder, 'github')
  const requests: RecordedRequest[] = []
  const repositoryNames = new Set<string>()
  let pushGate: Promise<void> | undefined
  const host = createLocalCodeHost({ root, baseUrl: 'http://unused', owner: fakeOrganization })
  const git = createLocalGitHttp({ root, maxBytes: 100_000_000 })

  const create = async (name: string): Promise<GithubResponse> => {
    if (repositoryNames.has(name)) return { status: 422, body: { message: 'Repository creation failed.' } }
    repositoryNames.add(name)
    await host.ensureRepository(name)
    return { status: 201, body: { name, default_branch: 'main', private: true } }
  }

  const contents = async (repository: RepositoryName, path: string): Promise<GithubResponse> => {
    const { entries } = await host.listTree(repository, { limit: 10_000 })
    const storedFile = entries.find((entry) => entry.path === path)
    if (storedFile === undefined) return notFound
    if (storedFile.type === 'tree')
      return { status: 200, body: entries.filter((entry) => entry.path.startsWith(`${path}/`)) }
    const bytes = await host.readFile(repository, path, { maxBytes: 100_000_000 })
    if (bytes === undefined) return { status: 200, body: { type: 'symlink', sha: storedFile.sha } }
    // GitHub omits the content above one megabyte. The limit here is lower, so that tests can use small files.
    const isLarge = bytes.length > 1000
    const content = isLarge ? '' : Buffer.from(bytes).toString('base64')
    const encoding = isLarge ? 'none' : 'base64'
    return { status: 200, body: { type: 'file', sha: storedFile.sha, size: bytes.length, encoding, content } }
  }

  const put = async (
    repository: RepositoryName,
    path: string,
    body: Record<string, unknown>,
  ): Promise<GithubResponse> => {
    const { entries } = await host.listTree(repository, { limit: 10_000 })
    const storedFile = entries.find((entry) => entry.path === path)
    if (storedFile?.sha !== body['sha']) return { status: 409, body: { message: `${path} does not match` } }
    try {
      const written = await host.writeFile(repository, {
        path,
        content: Buffer.from(String(body['content']), 'base64'),
        message: String(body['message']),
        branch: String(body['branch']),
      })
      return { status: 201, body: { content: { sha: written.sha }, commit: { sha: written.commit } } }
    } catch (error) {
      if (error instanceof CodeHostRefusedError) return { status: 422, body: { message: 'path is invalid' } }
      throw error
    }
  }

  const blob = async (repository: RepositoryName, sha: string): Promise<GithubResponse> => {
    const { entries } = await host.listTree(repository, { limit: 10_000 })
    const path = entries.find((entry) => entry.sha === sha)?.path ?? ''
    const bytes = await host.readFile(repository, path, { maxBytes: 100_000_000 })
    return { status: 200, body: { encoding: 'base64', content: Buffer.from(bytes ?? []).toString('base64') } }
  }

  const commits = async (repository: RepositoryName, query = new URLSearchParams()): Promise<GithubResponse> => {
    const path = query.get('path')
    const limit = Number(query.get('per_page'))
    const storedCommits = await host.listCommits(repository, { limit, ...(path !== null && { path }) })
    const body = storedCommits.map(({ sha, message, author, committedAt: date }) => ({
      sha,
      commit: { message: `${message}\n\nMore`, author: { name: author, date }, committer: { name: author, date } },
    }))
    return { status: 200, body }
  }

  const respondTo = async ({ method, path, body, query }: RecordedRequest): Promise<GithubResponse> => {
    const [kind, owner = '', name = '', resource, ...rest] = path.split('/').slice(3).map(decodeURIComponent)
    if (method === 'POST' && kind === 'orgs' && owner === fakeOrganization) return create(String(body['name']))
    const repository = { owner, name }
    if (kind !== 'repos' || owner !== fakeOrganization || !repositoryNames.has(name)) return notFound
    const subpath = rest.join('/')
    if (resource === undefined && method === 'GET') return { status: 200, body: { name, default_branch: 'main' } }
    if (resource === undefined && method === 'DELETE') {
      repositoryNames.delete(name)
      await host.deleteRepository(repository)
      return { status: 204 }
    }
    if (resource === 'contents')
      return method === 'PUT' ? put(repository, subpath, body) : contents(repository, subpath)
    if (resource === 'commits') return commits(repository, query)
    if (resource === 'git' && subpath.startsWith('ref/heads/')) {
      const sha = await host.findHead(repository, subpath.slice('ref/heads/'.length))
      return sha === undefined ? notFound : { status: 200, body: { object: { sha, type: 'commit' } } }
    }
    if (resource === 'git' && subpath.startsWith('trees/')) {
      const { entries, truncated } = await host.listTree(repository, { limit: 100_000 })
      return { status: 200, body: { tree: entries, truncated } }
    }
    if (resource === 'git' && subpath.startsWith('blobs/')) return blob(repository, subpath.slice('blobs/'.length))
    return notFound
  }

  const respondToGit = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const [owner = '', file = '', ...rest] = url.pathname.slice(1).split('/')
    const repository = { owner, name: file.replace(/\.git$/, '') }
    const expected = `Basic ${Buffer.from(`x-access-token:${fakeToken}`).toString('base64')}`
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end()
      return
    }
    const service = (url.searchParams.get('service') ?? rest[0] ?? '') as GitService
    const options = { service, protocol: 'version=2', signal: AbortSignal.timeout(60_000) }
    const packed = request.headers['content-encoding'] === 'gzip'
    const body = packed ? request.pipe(createGunzip()) : request
    const isFirst = request.method === 'GET'
    const stream = await (isFirst ? git.advertise(repository, options) : git.serve(repository, { ...options, body }))
    if (stream === undefined) {
      response.writeHead(404).end()
      return
    }
    const kind = isFirst ? 'advertisement' : 'result'
    response.writeHead(200, { 'content-type': `application/x-${service}-${kind}` })
    if (isFirst) {
      const line = `# service=${service}\n`
      response.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`)
    }
    await pipeline(stream, response)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://host')
    const { authorization } = request.headers
    if (!url.pathname.startsWith('/api/v3/')) {
      requests.push({ method: request.method ?? '', path: url.pathname, authorization, body: {} })
      if (url.pathname.endsWith('/git-receive-pack')) await pushGate
      return respondToGit(request, response, url)
    }
    const recorded = {
      method: request.method ?? '',
      path: url.pathname,
      authorization,
      body: await readBody(request),
      query: url.searchParams,
    }
    requests.push(recorded)
    const { status, body } =
      authorization === `token ${fakeToken}`
        ? await respondTo(recorded)
        : { status: 401, body: { message: 'Bad credentials' } }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(500).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    requests,
    holdPushes: () => {
      const released = new AbortController()
      pushGate = once(released.signal, 'abort').then(() => undefined)
      return () => {
        pushGate = undefined
        released.abort()
      }
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close').catch(() => undefined)
    },
  }
}
