import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { connectorSettings, loadConfig } from '../../config.ts'
import { readDescriptions } from '../../providers/connectors/own/description.ts'

/** Lists the errors in connector settings. */
const listErrors = (settings: Record<string, string>): string[] => {
  try {
    loadConfig(settings)
    return []
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : []
    return lines.filter((line) => /CONNECTOR|COMPOSIO/.test(line))
  }
}

test.each<[Record<string, string>, RegExp]>([
  [{ CONNECTOR_BROKER: 'composio' }, /^COMPOSIO_API_KEY is required with CONNECTOR_BROKER=composio/],
  [{ COMPOSIO_API_URL: 'http://composio.example' }, /^COMPOSIO_API_URL must be an https URL/],
  [
    { PRODUCTION_MODE: 'true', CONNECTOR_BROKER: 'embedded' },
    /^CONNECTOR_BROKER must not be embedded in production mode/,
  ],
  [{ CONNECTOR_TOOLKITS: 'a, B' }, /^CONNECTOR_TOOLKITS: must be a list of slugs/],
  [{ CONNECTOR_ACTION_SECONDS: '61' }, /^CONNECTOR_ACTION_SECONDS: /],
])('the connector settings reject %j', (settings, error) => {
  expect(listErrors(settings)).toEqual([expect.stringMatching(error)])
})

test('the default broker is `embedded`, and `none` in production mode', () => {
  expect(connectorSettings(loadConfig({})).broker).toBe('embedded')
  expect(connectorSettings({ ...loadConfig({}), PRODUCTION_MODE: true }).broker).toBe('none')
  expect(listErrors({ PRODUCTION_MODE: 'true' })).toEqual([])
  expect(
    listErrors({ PRODUCTION_MODE: 'true', ALLOW_EMBEDDED: 'mail, connectors', CONNECTOR_BROKER: 'embedded' }),
  ).toEqual([])
})

test('descriptions receive only the environment variables of connector clients', () => {
  const { connectorClients } = loadConfig({
    CONNECTOR_CLIENT_A_ID: 'id',
    CONNECTOR_CLIENT_B_ID: '',
    SERVER_SECRET: 'x'.repeat(40),
  })
  expect(connectorClients).toEqual({ CONNECTOR_CLIENT_A_ID: 'id' })
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-descriptions-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const operation = { operationId: 'list', responses: {} }
const openapi = (paths: object, more: object = {}) => ({
  openapi: '3.1.0',
  servers: [{ url: 'https://a.example' }],
  paths,
  ...more,
})
const valid = {
  slug: 'a',
  name: 'A',
  client: { id: 'CONNECTOR_CLIENT_A_ID' },
  authorization: { issuer: 'https://a.example' },
  openapi: openapi({ '/a': { get: operation } }),
}
const clients = { CONNECTOR_CLIENT_A_ID: 'id' }

test.each<[string, object, string]>([
  ['a slug', { slug: 'A b' }, 'slug '],
  [
    'a client id outside the settings',
    { client: { id: 'SERVER_SECRET' } },
    'client.id must begin with CONNECTOR_CLIENT_',
  ],
  [
    'a secret without a value',
    { client: { id: 'CONNECTOR_CLIENT_A_ID', secret: 'CONNECTOR_CLIENT_A_SECRET' } },
    'CONNECTOR_CLIENT_A_SECRET is not set',
  ],
  ['half of the endpoints', { authorization: { tokenEndpoint: 'https://a.example' } }, 'authorization needs issuer'],
  ['a misspelled member', { header: {} }, 'Unrecognized key: "header"'],
  ['a path outside the folder', { openapi: '../secrets.yaml' }, 'openapi '],
  ['no operation', { openapi: openapi({ '/a': { get: {} } }) }, 'openapi has no operation with an operationId'],
  [
    'two that are the same',
    { openapi: openapi({ '/a': { get: operation, post: operation } }) },
    'openapi has two operations with the action slug A_LIST',
  ],
  ['no server', { openapi: openapi({ '/a': { get: operation } }, { servers: [] }) }, 'openapi.servers '],
  [
    'a reference to nothing',
    { openapi: openapi({ '/a': { get: { ...operation, parameters: [{ $ref: '#/components/parameters/b' }] } } }) },
    'openapi does not contain #/components/parameters/b',
  ],
])('a description with %s is rejected with an error that names its file and the rule', async (_, changes, rule) => {
  await writeFile(join(folder, 'a.yaml'), stringify({ ...valid, ...changes }))
  await expect(readDescriptions(folder, clients)).rejects.toMatchObject({
    name: 'DescriptionError',
    message: expect.stringContaining(`CONNECTORS_DIR: a.yaml: ${rule}`),
  })
})

test('two descriptions with the same slug, and invalid YAML, are rejected', async () => {
  await writeFile(join(folder, 'a.yaml'), stringify(valid))
  await writeFile(join(folder, 'b.yml'), stringify(valid))
  await expect(readDescriptions(folder, clients)).rejects.toThrow('b.yml: another file also has the slug a')
  await writeFile(join(folder, 'b.yml'), '- : [')
  await expect(readDescriptions(folder, clients)).rejects.toThrow('b.yml: is not a valid YAML document.')
})
