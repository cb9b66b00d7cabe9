import { Readable } from 'node:stream'
import { z } from 'zod'
import { findRepositoryOwner } from '../../db/repositories/access.ts'
import { CodeHostFullError, type GitHttpPort, type GitService } from '../../providers/code-host/index.ts'
import { recordAuditAccount } from '../access/audit.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { kibibytes, mebibytes, route, streamedResponse, type Caller, type Route, type Holder } from '../http/route.ts'
import { createPool, type Pool } from '../http/limits/shares.ts'
import type { RouteDeps } from '../deps.ts'
import type { Fleet } from '../fleet.ts'

export type GitDeps = RouteDeps & {
  /** Undefined if the code host has its own URL. */
  git?: GitHttpPort | undefined
  fleet: Fleet
}

const services = ['git-upload-pack', 'git-receive-pack'] as const

const routeDefaults = {
  tag: { name: 'Repositories', description: 'The embedded code host, for Git over HTTP.' },
  auth: 'key-bearer-or-basic',
  ownership: "The repository must be the caller's workspace or that of an organization of the caller; otherwise 404.",
  envelope: 'standard',
  rate: 'default',
  params: z.object({ owner: z.string(), repository: z.string() }),
} as const

const noSpaceSeconds = 60

const maxPatchKibibytes = 1024

type RepositoryRequest = { caller: Caller; params: { owner: string; repository: string } }

/** Routes that serve the embedded code host's repositories to Git: `git clone <base>/git/workspaces/<id>.git`. */
export function gitRoutes(deps: GitDeps, { refusals }: Metrics): Route[] {
  const { LIMIT_GIT_REQUESTS: max, LIMIT_SHARE_PERCENT: sharePercent } = deps.config
  const withGitSlot = createGitSlots(
    createPool({ name: 'git', max, sharePercent, countApis: () => deps.fleet.countApis(), refusals }),
  )

  /** Returns a repository of the caller. Throws the same error for missing and inaccessible repositories. */
  const openRepository = async ({
    caller,
    params,
  }: RepositoryRequest): Promise<{ git: GitHttpPort; owner: string; name: string }> => {
    const { accountId } = caller
    const name = params.repository.replace(/\.git$/, '')
    const ownerId = deps.git && (await findRepositoryOwner(deps.db, { owner: params.owner, name, accountId }))
    if (deps.git === undefined || ownerId === undefined) throw notFound('Repository')
    recordAuditAccount(caller, ownerId)
    return { git: deps.git, owner: params.owner, name }
  }

  const advertise = route({
    ...routeDefaults,
    method: 'GET',
    path: '/git/{owner}/{repository}/info/refs',
    summary: 'Advertise the refs of a repository to a Git client',
    bodyLimit: 0,
    query: z.object({ service: z.enum(services) }),
    responses: { 200: streamedResponse('application/octet-stream', 'Git protocol data.') },
    errors: ['not_found'],
    handle: async (request) => {
      const { git, ...repository } = await openRepository(request)
      const { service } = request.query
      const options = { service, protocol: parseProtocol(request.headers['git-protocol']), signal: request.closed }
      const refs = await withGitSlot(request.holder, () => git.advertise(repository, options))
      if (refs === undefined) throw notFound('Repository')
      return {
        status: 200,
        headers: { 'content-type': `application/x-${service}-advertisement` },
        body: Readable.from(prepend(serviceLine(service), refs), { objectMode: false }),
      }
    },
  })

  const exchange = (service: GitService, summary: string, bodyLimit: number): Route =>
    route({
      ...routeDefaults,
      method: 'POST',
      path: `/git/{owner}/{repository}/${service}`,
      summary,
      bodyLimit,
      // A fetch only reads, although its method is POST, so it is not audited.
      audited: service === 'git-receive-pack',
      streamedBody: `application/x-${service}-request`,
      responses: { 200: streamedResponse(`application/x-${service}-result`, 'Git protocol data.') },
      errors: ['not_found', 'payload_too_large', 'unsupported_media_type'],
      handle: async (request) => {
        const requestBody = request.readBody({ limit: bodyLimit, acceptsGzip: true })
        const { git, ...repository } = await openRepository(request)
        const output = await withGitSlot(request.holder, () => {
          const body = Readable.from(
            withholdLastChunk(requestBody.stream(), () => openRepository(request)),
            { objectMode: false },
          )
          const options = {
            service,
            protocol: parseProtocol(request.headers['git-protocol']),
            signal: request.closed,
            body,
          }
          return git.serve(repository, options).catch((error: unknown) => {
            body.destroy()
            return rejectFullHost(error)
          })
        })
        if (output === undefined) throw notFound('Repository')
        return { status: 200, headers: { 'content-type': `application/x-${service}-result` }, body: output }
      },
    })

  const showCommit = route({
    ...routeDefaults,
    method: 'GET',
    path: '/git/{owner}/{repository}/commit/{commit}',
    summary: 'Show a commit as text',
    description: `Returns the message, the changed files and the patch, truncated to ${maxPatchKibibytes} KiB.`,
    bodyLimit: 0,
    params: routeDefaults.params.extend({ commit: z.string().regex(/^[0-9a-f]{40}$/) }),
    responses: { 200: streamedResponse('text/plain', 'The commit as `git show` prints it.') },
    errors: ['not_found'],
    handle: async (request) => {
      const { git, ...repository } = await openRepository(request)
      const { commit } = request.params
      const limits = { maxBytes: kibibytes(maxPatchKibibytes) }
      const body = await withGitSlot(request.holder, () => git.showCommit(repository, commit, limits))
      if (body === undefined) throw notFound('Commit')
      return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
    },
  })

  return [
    showCommit,
    advertise,
    exchange('git-upload-pack', 'Serve a Git clone or fetch', mebibytes(16)),
    exchange('git-receive-pack', 'Receive a Git push', mebibytes(deps.config.GIT_PUSH_MEGABYTES)),
  ]
}

/** Limits concurrent Git processes. A response holds its slot until it ends. */
function createGitSlots(pool: Pool) {
  return async <T extends Readable | undefined>(holder: Holder, start: () => Promise<T>): Promise<T> => {
    pool.acquire(holder)
    try {
      const output = await start()
      if (output === undefined || output.closed) pool.release(holder)
      else output.once('close', () => pool.release(holder))
      return output
    } catch (error) {
      pool.release(holder)
      throw error
    }
  }
}

/** Validates the client's Git-Protocol header, because its value becomes an environment variable. */
function parseProtocol(header: string | undefined): string | undefined {
  return header !== undefined && /^version=\d(?::[a-z0-9=.:-]{1,100})?$/.test(header) ? header : undefined
}

async function* prepend(text: string, stream: Readable): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
  for await (const chunk of stream) yield chunk as Uint8Array
}

/** Returns the service announcement in the pkt-line format, followed by a flush packet. */
function serviceLine(service: GitService): string {
  const line = `# service=${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}

/**
 * Yields the body, but withholds its last chunk until `confirm` resolves. `confirm` checks access again, which may have ended
 * during a slow request.
 */
async function* withholdLastChunk(body: Readable, confirm: () => Promise<unknown>): AsyncGenerator<Buffer> {
  let lastChunk: Buffer | undefined
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (lastChunk !== undefined) yield lastChunk
    lastChunk = chunk
  }
  await confirm()
  if (lastChunk !== undefined) yield lastChunk
}

function rejectFullHost(error: unknown): never {
  if (!(error instanceof CodeHostFullError)) throw error
  if (error.where === 'repository') throw new ApiError('payload_too_large', 'The repository has reached its size limit')
  throw new ApiError('unavailable', 'No disk space is left for pushes', { retryAfter: noSpaceSeconds })
}
