import { randomUUID } from 'node:crypto'
import { isObject, type JsonObject } from '../../../domain/connectors/connector.ts'
import { fileDescriptor } from '../../../domain/connectors/action-files.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import type { ActionFiles } from '../index.ts'
import type { Operation } from './operations.ts'

export type ServiceRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Builds the request of an operation from validated parameters. */
export async function buildRequest(
  server: string,
  operation: Operation,
  parameters: JsonObject,
  files: ActionFiles,
): Promise<ServiceRequest> {
  const url = new URL(`${server}${buildPath(operation, parameters)}`)
  const headers: Record<string, string> = {}
  for (const { name, in: location } of operation.parameters) {
    const value = parameters[name]
    if (value === undefined) continue
    if (location === 'query') for (const item of [value].flat()) url.searchParams.append(name, toText(item))
    if (location === 'header') headers[name] = requireHeaderValue(toText(value))
  }
  const content = await buildContent(operation, parameters, files)
  const { method } = operation
  return content === undefined
    ? { method, url: url.href, headers }
    : { method, url: url.href, headers: { ...headers, 'content-type': content.type }, body: content.body }
}

function buildPath({ path }: Operation, parameters: JsonObject): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const text = toText(parameters[name])
    // An empty or relative segment would change the path of the operation.
    if (text === '' || text === '.' || text === '..')
      throw new ProviderError('invalid', 'a parameter is not a valid path segment')
    return encodeURIComponent(text)
  })
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function requireHeaderValue(text: string): string {
  if (/[^\x20-\x7e]/.test(text)) throw new ProviderError('invalid', 'a parameter is not a valid header value')
  return text
}

type Content = { type: string; body: string | Uint8Array }

async function buildContent(
  { body }: Operation,
  parameters: JsonObject,
  files: ActionFiles,
): Promise<Content | undefined> {
  if (body === undefined) return undefined
  if (body.kind === 'file') {
    const file = parameters['file']
    if (file === undefined) return undefined
    const { mimetype, bytes } = await readActionFile(file, files)
    return { type: mimetype, body: bytes }
  }
  const value = parameters['body']
  if (value === undefined) return undefined
  if (body.kind === 'json') return { type: body.mediaType, body: JSON.stringify(value) }
  const members = isObject(value) ? Object.entries(value) : []
  if (body.kind === 'form') {
    const form = new URLSearchParams(members.map(([name, member]): [string, string] => [name, toText(member)]))
    return { type: body.mediaType, body: form.toString() }
  }
  return buildMultipart(members, files)
}

async function buildMultipart(members: [string, unknown][], files: ActionFiles): Promise<Content> {
  const boundary = `backline-${randomUUID()}`
  const parts = await Promise.all(
    members.map(async ([name, member]) => {
      const file = fileDescriptor.safeParse(member).data
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="${escapeParameter(name)}"`
      if (file === undefined) return Buffer.from(`${head}\r\n\r\n${toText(member)}\r\n`)
      const { bytes, mimetype } = await readActionFile(file, files)
      const fileHead = `${head}; filename="${escapeParameter(file.name)}"\r\ncontent-type: ${mimetype}\r\n\r\n`
      return Buffer.concat([Buffer.from(fileHead), bytes, Buffer.from('\r\n')])
    }),
  )
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

function escapeParameter(text: string): string {
  return text.replaceAll(/["\r\n]/g, '_')
}

async function readActionFile(value: unknown, files: ActionFiles): Promise<{ mimetype: string; bytes: Uint8Array }> {
  const { mimetype, key } = fileDescriptor.parse(value)
  const bytes = await files.read(key)
  if (bytes === undefined) throw new ProviderError('invalid', 'an action file no longer exists')
  return { mimetype, bytes }
}
