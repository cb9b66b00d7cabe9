import type { oas31 } from 'zod-openapi'
import { mapInSlices, type Slices } from '../slices.ts'
import type { Entry } from './entry.ts'
import { listHeadings } from './prose.ts'
import { collectReferences } from './references.ts'

type Method = (typeof methods)[number]
type Operation = oas31.OperationObject
type DocumentedOperation = { method: Method; path: string; operation: Operation; id: string; document: SourceDocument }

/** An OpenAPI document and its URL. */
export type SourceDocument = { url: string; document: oas31.OpenAPIObject }

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const listId = 'docs:api-reference'

/** Returns an entry per operation, and an entry that lists them by tag. Throws for an operation without a description. */
export function* operationEntries(documents: readonly SourceDocument[], siteUrl: string): Slices<Entry[]> {
  const operations = documents.flatMap(listOperations)
  if (operations.length === 0) return []
  const entries = yield* mapInSlices(operations, (entry) => operationEntry(entry, siteUrl))
  return [listEntry(operations, siteUrl), ...entries]
}

function listOperations(document: SourceDocument): DocumentedOperation[] {
  return Object.entries(document.document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const { operationId, summary, description } = operation
      if (operationId === undefined || summary === undefined || description === undefined)
        throw new Error(`${method} ${path}: an operation without id, summary or description`)
      return [{ method, path, operation, id: `${listId}/${slug(readTag(operation))}/${slug(operationId)}`, document }]
    }),
  )
}

function listEntry(operations: readonly DocumentedOperation[], siteUrl: string): Entry {
  const header = {
    id: listId,
    type: 'docs' as const,
    title: 'API reference',
    description: 'Every operation of the platform API and of the public website tools, by the area it belongs to.',
    url: buildUrl(listId, siteUrl),
    representation: 'full' as const,
  }
  const tags = [...new Set(operations.map(({ operation }) => readTag(operation)))]
  const sections = tags.map((tag) => {
    const rows = operations.filter(({ operation }) => readTag(operation) === tag)
    const links = rows.map(
      ({ method, path, operation, id }) =>
        `- [${method.toUpperCase()} ${path}](${buildUrl(id, siteUrl)}): ${operation.summary}`,
    )
    return `## ${tag}\n\n${links.join('\n')}`
  })
  return {
    header,
    markdown: [`# ${header.title}`, `Source: ${header.url}`, header.description, ...sections].join('\n\n'),
    keywords: 'endpoints operations openapi routes',
    headings: tags.join('\n'),
    plain: header.description,
  }
}

function operationEntry({ method, path, operation, id, document }: DocumentedOperation, siteUrl: string): Entry {
  const name = `${method.toUpperCase()} ${path}`
  const description = operation.description ?? ''
  const header = {
    id,
    type: 'docs' as const,
    title: operation.summary ?? '',
    description: firstSentence(description),
    url: buildUrl(id, siteUrl),
    representation: 'full' as const,
    api: { method: method.toUpperCase(), path, specificationUrl: document.url },
  }
  const code = { [path]: { [method]: operation }, ...collectReferences(operation, document.document) }
  const markdown = [
    `# ${header.title}`,
    `Source: ${header.url}`,
    description,
    `## ${name}`,
    `[OpenAPI document](${document.url})`,
    '## Authentication',
    describeAuthentication(operation, document.document),
    ...buildTable('Parameters', ['Name', 'In', 'Required', 'What it is'], parameterRows(operation)),
    ...buildTable('Errors', ['Status', 'When'], errorRows(operation)),
    '## Definition',
    `\`\`\`json\n${JSON.stringify(code, undefined, 2)}\n\`\`\``,
  ].join('\n\n')
  const fields = collectFields(code)
  return {
    header,
    markdown,
    keywords: [readTag(operation), method, path, operation.operationId, ...fields.map((field) => field.name)].join(' '),
    headings: listHeadings(`## ${name}`),
    plain: [
      description,
      ...parameterRows(operation).map(([parameter, , , text]) => `${parameter}: ${text}`),
      ...fields.flatMap((field) => (field.text === '' ? [] : [`${field.name}: ${field.text}`])),
      ...errorRows(operation).map(([, text]) => text),
    ]
      .map((text) => text?.replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean)
      .map((text) => (/[.!?]$/.test(text ?? '') ? text : `${text}.`))
      .join(' '),
  }
}

function readTag({ tags }: Operation): string {
  return tags?.[0] ?? 'Other'
}

function buildUrl(id: string, siteUrl: string): string {
  return `${siteUrl}/docs/${id.slice('docs:'.length)}`
}

/** Returns the words of a name in lower case, joined by `-`. */
function slug(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function firstSentence(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return /^.*?[.!?](?= |$)/.exec(flat)?.[0] ?? flat
}

function describeAuthentication({ security }: Operation, { security: defaults = [] }: oas31.OpenAPIObject): string {
  const choices = (security ?? defaults).map((requirement) => Object.keys(requirement).join(' and '))
  if (choices.length === 0) return 'None.'
  const schemes = choices.filter((choice) => choice !== '').map((choice) => `\`${choice}\``)
  return choices.includes('') ? `Optional: ${schemes.join(' or ')}.` : `${schemes.join(' or ')}.`
}

function parameterRows({ parameters = [] }: Operation): string[][] {
  return parameters.flatMap((parameter) =>
    'name' in parameter
      ? [[parameter.name, parameter.in, parameter.required === true ? 'yes' : 'no', parameter.description ?? '']]
      : [],
  )
}

function errorRows({ responses = {} }: Operation): string[][] {
  return Object.entries(responses).flatMap(([status, response]) =>
    Number(status) >= 400 && typeof response === 'object' && response !== null && 'description' in response
      ? [[status, String(response.description)]]
      : [],
  )
}

function buildTable(title: string, head: string[], rows: string[][]): string[] {
  if (rows.length === 0) return []
  return [`## ${title}`, [buildRow(head), buildRow(head.map(() => '---')), ...rows.map(buildRow)].join('\n')]
}

function buildRow(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s+|\|/g, ' ')).join(' | ')} |`
}

/** Returns the names and descriptions of all fields of the schemas in a value. */
function collectFields(value: unknown): { name: string; text: string }[] {
  const texts = new Map<string, string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, member] of Object.entries(node)) {
      if (key === 'properties' && typeof member === 'object' && member !== null)
        for (const [name, schema] of Object.entries(member as Record<string, { description?: unknown }>)) {
          const text = typeof schema?.description === 'string' ? schema.description : ''
          if (!texts.has(name) || text !== '') texts.set(name, text)
        }
      visit(member)
    }
  }
  visit(value)
  return [...texts].map(([name, text]) => ({ name, text }))
}
