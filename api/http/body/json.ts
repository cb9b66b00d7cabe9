import { isUtf8 } from 'node:buffer'
import { JsonTooComplexError, parseJson } from '../../../domain/fields/json.ts'
import { invalidField, type PathSegment } from '../errors.ts'

const droppedKeys = new Set(['__proto__', 'constructor', 'prototype'])
const unstorable = /\0|\p{Surrogate}/u

/** Throws 400 for text that Postgres cannot store. */
export function requireStorable(body: unknown): void {
  const path: PathSegment[] = []
  if (typeof body === 'object' && body !== null && findUnstorable(body, path))
    throw invalidField(`${path.join('.')} contains a character that cannot be stored`, ...path)
}

/** Parses a JSON object. Throws 400 for any other body, and for an object that is too complex to check. */
export function parseBody(bytes: Buffer): Record<string, unknown> {
  const value = readJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidField('Request body must be a JSON object')
  dropPrototypeKeys(value)
  return value as Record<string, unknown>
}

/**
 * Returns true if a string or key in `node` cannot be stored, and writes the path of the first such value to `path`.
 */
function findUnstorable(node: object, path: PathSegment[]): boolean {
  return Array.isArray(node)
    ? node.some((member: unknown, index) => isUnstorable(member, index, path))
    : Object.keys(node).some((key) => isUnstorable(node[key as keyof typeof node], key, path))
}

function isUnstorable(member: unknown, segment: PathSegment, path: PathSegment[]): boolean {
  path.push(segment)
  if (typeof segment === 'string' && unstorable.test(segment)) return true
  if (typeof member === 'string' && unstorable.test(member)) return true
  if (typeof member === 'object' && member !== null && findUnstorable(member, path)) return true
  path.pop()
  return false
}

function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidField('Invalid JSON body')
  try {
    return parseJson(bytes.toString('utf8'))
  } catch (error) {
    throw invalidField(error instanceof JsonTooComplexError ? `Request body ${error.message}` : 'Invalid JSON body')
  }
}

/** Removes keys that modify prototypes. */
function dropPrototypeKeys(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) return node.forEach(dropPrototypeKeys)
  for (const key of Object.keys(node)) {
    if (droppedKeys.has(key)) Reflect.deleteProperty(node, key)
    else dropPrototypeKeys(node[key as keyof typeof node])
  }
}
