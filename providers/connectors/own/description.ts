import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { toolkitSlug, type JsonObject } from '../../../domain/connectors/connector.ts'
import { DescriptionError } from './description-error.ts'
import { parseOperations, type Operation } from './operations.ts'

const settingName = z.string().regex(/^CONNECTOR_CLIENT_[A-Z0-9_]{1,100}$/, 'must begin with CONNECTOR_CLIENT_')
const stringRecord = z.record(z.string(), z.string())

/** Schema of a file in CONNECTORS_DIR, which describes an OAuth 2 service. */
const descriptionSchema = z.strictObject({
  slug: z.string().regex(toolkitSlug),
  name: z.string().min(1).max(100),
  client: z.strictObject({
    /** Names of settings, never values. */
    id: settingName,
    secret: settingName.optional(),
    authentication: z.enum(['basic', 'post', 'none']).optional(),
  }),
  authorization: z
    .strictObject({
      /** Issuer that publishes the server's metadata. Required without the endpoints. */
      issuer: z.url().optional(),
      authorizationEndpoint: z.url().optional(),
      tokenEndpoint: z.url().optional(),
      revocationEndpoint: z.url().optional(),
      scopes: z.array(z.string().min(1)).default([]),
      /** Additional request parameters, such as `access_type: offline`. */
      parameters: stringRecord.default({}),
    })
    .refine(
      ({ issuer, authorizationEndpoint, tokenEndpoint }) =>
        (authorizationEndpoint === undefined) === (tokenEndpoint === undefined) &&
        (issuer !== undefined || tokenEndpoint !== undefined),
      { error: 'needs issuer, or authorizationEndpoint and tokenEndpoint' },
    ),
  /** Source of the account name: an operation without parameters, and a field of its response. */
  account: z.strictObject({ operation: z.string().min(1), member: z.string().min(1) }).optional(),
  /** Headers of each call. */
  headers: stringRecord.default({}),
  /** Header in which the service accepts an idempotency key. */
  idempotencyHeader: z.string().min(1).optional(),
  /** OpenAPI 3 document, or the name of a file in the same folder. */
  openapi: z.union([z.record(z.string(), z.unknown()), z.string().regex(/^[\w-][\w.-]*$/, 'must be a file name')]),
})

type Client = { id: string; secret: string | undefined; authentication: 'basic' | 'post' | 'none' }

export type Description = Omit<z.output<typeof descriptionSchema>, 'client' | 'openapi'> & {
  client: Client
  operations: Operation[]
  /** Base URL of the operations. */
  server: string
}

/**
 * Reads the descriptions in a folder. Omits descriptions whose client id is not set. Throws `DescriptionError` for an invalid
 * description.
 */
export async function readDescriptions(
  folder: string,
  clients: Readonly<Record<string, string>>,
): Promise<Description[]> {
  const names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort()
  const documents = await Promise.all(names.map(async (name) => [name, await readYaml(folder, name)] as const))
  const descriptions: Description[] = []
  for (const [name, document] of documents) {
    // An OpenAPI document to which another file refers.
    if (document['openapi'] !== undefined && document['slug'] === undefined) continue
    const description = await parseDescription(folder, name, document, clients)
    if (description === undefined) continue
    if (descriptions.some(({ slug }) => slug === description.slug))
      throw descriptionError(name, `another file also has the slug ${description.slug}`)
    descriptions.push(description)
  }
  return descriptions
}

async function parseDescription(
  folder: string,
  file: string,
  document: JsonObject,
  clients: Readonly<Record<string, string>>,
): Promise<Description | undefined> {
  const parsed = descriptionSchema.safeParse(document)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw descriptionError(file, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`)
  }
  const { client, openapi, ...description } = parsed.data
  const id = clients[client.id]
  if (id === undefined) return undefined
  const secret = client.secret === undefined ? undefined : clients[client.secret]
  if (client.secret !== undefined && secret === undefined) throw descriptionError(file, `${client.secret} is not set`)
  const authentication = client.authentication ?? (secret === undefined ? 'none' : 'basic')
  const api = typeof openapi === 'string' ? await readYaml(folder, openapi) : openapi
  try {
    const { server, operations } = parseOperations(description.slug, api)
    if (description.account && !operations.some(({ id }) => id === description.account?.operation))
      throw new Error('account.operation must be an operation of the document')
    return { ...description, client: { id, secret, authentication }, server, operations }
  } catch (error) {
    throw descriptionError(file, error instanceof Error ? error.message : 'openapi is not valid')
  }
}

async function readYaml(folder: string, name: string): Promise<JsonObject> {
  try {
    // A JSON document is also valid YAML.
    return z.record(z.string(), z.unknown()).parse(parse(await readFile(join(folder, name), 'utf8')))
  } catch {
    throw descriptionError(name, 'is not a valid YAML document')
  }
}

function descriptionError(file: string, rule: string): DescriptionError {
  return new DescriptionError(`CONNECTORS_DIR: ${file}: ${rule.trim()}.`)
}
