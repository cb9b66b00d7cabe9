import { z } from 'zod'
import { isObject, type JsonObject } from './connector.ts'

/** An action file as the caller passes it in the parameters of an action. */
export const fileDescriptor = z.object({ name: z.string(), mimetype: z.string(), key: z.string() })
export type FileDescriptor = z.output<typeof fileDescriptor>

/** Schema of a file parameter in the catalog, independent of the broker. */
export function fileParameter(description: string): JsonObject {
  return {
    type: 'object',
    description,
    required: ['name', 'mimetype', 'key'],
    properties: { name: { type: 'string' }, mimetype: { type: 'string' }, key: { type: 'string' } },
    file_uploadable: true,
  }
}

/** Replaces each file of a schema with `fileParameter`. Returns the schema and the paths of the files. */
export function withFileParameters(schema: JsonObject): { parameters: JsonObject; fileFields: string[] } {
  const fileFields = new Set<string>()
  const rewrite = (value: JsonObject, path: string[]): JsonObject => {
    if (value['file_uploadable'] === true) {
      fileFields.add(path.join('.'))
      const { description } = value
      return fileParameter(typeof description === 'string' ? description : 'An action file.')
    }
    const { properties, items } = value
    return {
      ...value,
      ...(isObject(properties) && {
        properties: mapMembers(properties, (member, name) =>
          isObject(member) && !name.includes('.') && name !== '*' ? rewrite(member, [...path, name]) : member,
        ),
      }),
      ...(isObject(items) && { items: rewrite(items, [...path, '*']) }),
      ...Object.fromEntries(
        ['anyOf', 'oneOf', 'allOf'].flatMap((name) => {
          const choices = value[name]
          if (!Array.isArray(choices)) return []
          return [[name, choices.map((choice) => (isObject(choice) ? rewrite(choice, path) : choice))]]
        }),
      ),
    }
  }
  return { parameters: rewrite(schema, []), fileFields: [...fileFields] }
}

/** Returns the values at those file paths that the parameters contain. */
export function listFiles(parameters: JsonObject, fileFields: readonly string[]): unknown[] {
  const files: unknown[] = []
  replaceFiles(parameters, fileFields, (file) => {
    files.push(file)
    return file
  })
  return files
}

/** Replaces the value at each file path of the parameters. */
export function replaceFiles(
  parameters: JsonObject,
  fileFields: readonly string[],
  replace: (file: unknown) => unknown,
): JsonObject {
  return fileFields.reduce<unknown>(
    (value, field) => replaceAt(value, field.split('.'), replace),
    parameters,
  ) as JsonObject
}

function replaceAt(value: unknown, path: readonly string[], replace: (file: unknown) => unknown): unknown {
  const [name, ...rest] = path
  // Null is not a file.
  if (name === undefined) return value === null ? value : replace(value)
  if (name === '*') return Array.isArray(value) ? value.map((item) => replaceAt(item, rest, replace)) : value
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  return mapMembers(value, (member, key) => (key === name ? replaceAt(member, rest, replace) : member))
}

function mapMembers(object: JsonObject, change: (member: unknown, name: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]))
}

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

export const imageExtensions: Record<ImageType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/** Detects the media type of an image by its first bytes; undefined for any other type. */
export function detectImageType(bytes: Uint8Array): ImageType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png'
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (/^RIFF[^]{4}WEBP$/.test(head)) return 'image/webp'
  return undefined
}

/** Builds a file name from the last path segment of a URL, in plain characters and with the extension of its type. */
export function buildFileName(url: URL, type: ImageType): string {
  const base = (url.pathname.split('/').at(-1) ?? '').replaceAll(/%[0-9a-f]{2}/gi, '_')
  const stem = base
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/^\.+/, '')
    .slice(0, 100)
  return `${stem || 'image'}.${imageExtensions[type]}`
}
