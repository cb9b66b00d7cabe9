import { randomUUID } from 'node:crypto'
import { sendJson, serveVendor, type Call } from './http.ts'

type Account = { id: string; user_id: string; toolkit: string; status: string; callback: string }

export const composioKey = 'marked-composio-key'

const createTools = (toolkit: string, parameters: object) => {
  const tool = (slug: string, input_parameters: object) => ({
    slug: `${toolkit.toUpperCase()}_${slug}`,
    name: slug,
    description: `The tool ${slug}`,
    input_parameters,
    output_parameters: { type: 'object', properties: {} },
    available_versions: ['20260101_00'],
    version: '20260101_00',
    is_deprecated: false,
    deprecated: {},
    no_auth: false,
    scope_requirements: null,
    scopes: [],
    tags: [],
    toolkit: { slug: toolkit, name: toolkit, logo: '' },
  })
  return [
    tool('POST_TEXT', parameters),
    tool('REFUSE', { type: 'object', properties: {} }),
    tool('POST_IMAGE', {
      type: 'object',
      properties: {
        images: {
          type: 'array',
          items: {
            type: 'object',
            title: 'FileUploadable',
            required: ['name', 'mimetype', 's3key'],
            properties: { name: { type: 'string' }, mimetype: { type: 'string' }, s3key: { type: 'string' } },
            file_uploadable: true,
          },
        },
      },
      required: ['images'],
    }),
  ]
}

const textParameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }

/** Starts a fake Composio REST API, version 3.1, with its connection pages and its file storage. */
export const serveComposio = async () => {
  const accounts = new Map<string, Account>()
  const configs = new Map<string, { id: string; toolkit: string }>()
  const uploads = new Map<string, Buffer>()
  const executions: Record<string, unknown>[] = []
  let parameters: object = textParameters

  const toAccountResponse = ({ id, user_id, toolkit, status }: Account) => ({
    id,
    user_id,
    status,
    alias: null,
    word_id: null,
    status_reason: null,
    is_disabled: false,
    toolkit: { slug: toolkit },
    auth_config: { id: 'ac_1', auth_scheme: 'OAUTH2', is_composio_managed: true, is_disabled: false },
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    data: {},
    params: {},
    state: { authScheme: 'OAUTH2', val: { status, access_token: 'held by the vendor' } },
    test_request_endpoint: '',
  })

  const link = ({ body, response }: Call): void => {
    const input = JSON.parse(body.toString()) as Record<'auth_config_id' | 'user_id' | 'callback_url', string>
    const toolkit = configs.get(input.auth_config_id)?.toolkit
    if (toolkit === undefined) return sendJson(response, 404, { error: { message: 'Auth config not found' } })
    const id = `ca_${randomUUID()}`
    accounts.set(id, { id, user_id: input.user_id, toolkit, status: 'INITIATED', callback: input.callback_url })
    sendJson(response, 201, {
      link_token: `lk_${id}`,
      redirect_url: `${vendor.url}/link/lk_${id}`,
      expires_at: '2099-01-01T00:00:00.000Z',
      connected_account_id: id,
    })
  }

  const follow = ({ path, response }: Call): void => {
    const account = accounts.get(path.replace('/link/lk_', ''))
    if (account === undefined) return sendJson(response, 404)
    account.status = 'ACTIVE'
    const back = new URL(account.callback)
    back.searchParams.set('status', 'success')
    back.searchParams.set('connected_account_id', account.id)
    response.writeHead(302, { location: back.href }).end()
  }

  const listTools = ({ query, response }: Call): void => {
    const all = createTools(query.get('toolkit_slug') ?? '', parameters)
    const offset = Number(query.get('cursor') ?? 0)
    const next_cursor = offset + 2 < all.length ? String(offset + 2) : null
    sendJson(response, 200, {
      items: all.slice(offset, offset + 2),
      next_cursor,
      current_page: 1,
      total_items: 3,
      total_pages: 2,
    })
  }

  const execute = (slug: string, { body, response }: Call): void => {
    const input = JSON.parse(body.toString()) as Record<string, unknown> & { arguments?: Record<string, unknown> }
    const account = accounts.get(String(input['connected_account_id']))
    if (account?.status !== 'ACTIVE' || account.user_id !== input['user_id'])
      return sendJson(response, 400, { error: { message: 'Connected account is not active', status: 400 } })
    if (slug.endsWith('_POST_TEXT') && parameters !== textParameters && input.arguments?.['title'] === undefined)
      return sendJson(response, 400, { error: { message: 'title is missing', status: 400 } })
    executions.push({ slug, ...input })
    if (slug.endsWith('_REFUSE'))
      return sendJson(response, 200, { data: {}, successful: false, error: 'vendor text', log_id: 'log_1' })
    sendJson(response, 200, { data: { done: input.arguments }, successful: true, error: null, log_id: 'log_1' })
  }

  const requestUpload = ({ body, response }: Call): void => {
    const { filename } = JSON.parse(body.toString()) as { filename: string }
    const key = `projects/p/${randomUUID()}/${filename}`
    const new_presigned_url = `${vendor.url}/storage/${key}?signature=1`
    const metadata = { storage_backend: 's3' }
    sendJson(response, 200, {
      id: 'f_1',
      key,
      type: 'new',
      newPresignedUrl: new_presigned_url,
      new_presigned_url,
      metadata,
    })
  }

  const makeConfig = ({ body, response }: Call): void => {
    const { toolkit } = JSON.parse(body.toString()) as { toolkit: { slug: string } }
    const id = `ac_${toolkit.slug}`
    configs.set(id, { id, toolkit: toolkit.slug })
    sendJson(response, 201, { toolkit, auth_config: { id, auth_scheme: 'OAUTH2', is_composio_managed: true } })
  }

  const listConfigs = ({ query, response }: Call): void => {
    const items = [...configs.values()]
      .filter(({ toolkit }) => toolkit === query.get('toolkit_slug'))
      .map(({ id, toolkit }) => ({ id, status: 'ENABLED', toolkit: { slug: toolkit } }))
    sendJson(response, 200, { items, next_cursor: null, current_page: 1, total_items: items.length, total_pages: 1 })
  }

  const handleAccount = (id: string, { method, response }: Call): void => {
    const account = accounts.get(id)
    if (account === undefined) return sendJson(response, 404, { error: { message: 'Not found', status: 404 } })
    if (method === 'DELETE') accounts.delete(id)
    sendJson(response, 200, method === 'DELETE' ? { success: true } : toAccountResponse(account))
  }

  const listAccounts = ({ query, response }: Call): void => {
    const items = [...accounts.values()].filter(({ user_id }) => query.getAll('user_ids').includes(user_id))
    sendJson(response, 200, {
      items: items.map(toAccountResponse),
      next_cursor: null,
      current_page: 1,
      total_items: items.length,
      total_pages: 1,
    })
  }

  const route = (call: Call): void => {
    const { method, path, response, headers, body } = call
    if (path.startsWith('/link/')) return follow(call)
    if (path.startsWith('/storage/')) {
      uploads.set(path.slice('/storage/'.length), body)
      return void response.end()
    }
    if (headers['x-api-key'] !== composioKey) return sendJson(response, 401, { error: { message: 'Invalid API key' } })
    const name = `${method} ${path.replace('/api/v3.1', '')}`
    if (name === 'GET /tools') return listTools(call)
    if (name.startsWith('GET /tools/')) {
      const [toolkit = ''] = path.slice('/api/v3.1/tools/'.length).toLowerCase().split('_')
      const tool = createTools(toolkit, parameters).find(({ slug }) => path.endsWith(slug))
      return sendJson(response, tool === undefined ? 404 : 200, tool ?? { error: { message: 'Tool not found' } })
    }
    if (name.startsWith('POST /tools/execute/')) return execute(path.split('/').at(-1) ?? '', call)
    if (name === 'POST /connected_accounts/link') return link(call)
    if (name === 'GET /connected_accounts') return listAccounts(call)
    if (path.startsWith('/api/v3.1/connected_accounts/')) return handleAccount(path.split('/').at(-1) ?? '', call)
    if (name === 'POST /auth_configs') return makeConfig(call)
    if (name === 'GET /auth_configs') return listConfigs(call)
    if (name === 'POST /files/upload/request') return requestUpload(call)
    sendJson(response, 404, { error: { message: `no ${name}`, status: 404 } })
  }

  const vendor = await serveVendor(
    (call) => Promise.resolve(route(call)),
    () => Promise.resolve(),
  )
  return {
    ...vendor,
    executions,
    uploads,
    /** Makes the title a required parameter of the tool that posts texts, or removes the parameter. */
    requireTitle: (isRequired: boolean) => {
      parameters = isRequired
        ? {
            ...textParameters,
            properties: { text: { type: 'string' }, title: { type: 'string' } },
            required: ['title'],
          }
        : textParameters
    },
    expire: () => {
      for (const account of accounts.values()) account.status = 'EXPIRED'
    },
  }
}
