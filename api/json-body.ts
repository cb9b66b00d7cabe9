import { isUtf8 } from 'node:buffer'
import { JsonTooComplex, parseJson } from '../domain/json.ts'
import { ApiError } from './errors.ts'
import type { PathSegment } from './errors.ts'

const droppedKeys = new Set(['__proto__', 'constructor', 'prototype'])
const unstorable = /\0|\p{Surrogate}/u

const refused = (text: string, missingFields: PathSegment[] = []): ApiError =>
  new ApiError('invalid_request', text, { missingFields })

/**
 * Walks to the first string or key that cannot be stored and leaves its path in `path`; true when there is one.
 * Drops keys that reach into prototypes.
 */
const findUnstorable = (node: object, path: PathSegment[]): boolean => {
  if (Array.isArray(node)) return node.some((member: unknown, index) => isUnstorable(member, index, path))
  for (const key of Object.keys(node)) {
    if (droppedKeys.has(key)) Reflect.deleteProperty(node, key)
    else if (isUnstorable(node[key as keyof typeof node], key, path)) return true
  }
  return false
}

const isUnstorable = (member: unknown, segment: PathSegment, path: PathSegment[]): boolean => {
  path.push(segment)
  if (typeof segment === 'string' && unstorable.test(segment)) return true
  if (typeof member === 'string' && unstorable.test(member)) return true
  if (typeof member === 'object' && member !== null && findUnstorable(member, path)) return true
  path.pop()
  return false
}

const readJson = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw refused('Invalid JSON body')
  try {
    return parseJson(bytes.toString('utf8'))
  } catch (error) {
    throw refused(error instanceof JsonTooComplex ? `Request body ${error.message}` : 'Invalid JSON body')
  }
}

/** The JSON object that a body is. Throws 400 for what cannot be stored, or would take long to look through. */
export const parseBody = (bytes: Buffer): Record<string, unknown> => {
  const value = readJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused('Request body must be a JSON object')
  const path: PathSegment[] = []
  if (!findUnstorable(value, path)) return value as Record<string, unknown>
  throw refused(`${path.join('.')} contains a character that cannot be stored`, path)
}
