import type { oas31 } from 'zod-openapi'
import { responseDescriptions } from './responses.ts'
import { musicDescriptions } from './music.ts'
import { parameterDescriptions } from './parameters.ts'
import { workDescriptions } from './work.ts'
import { camelCase } from '../../../domain/wire.ts'

type Schema = oas31.SchemaObject

const fields: Readonly<Record<string, string>> = { ...responseDescriptions, ...workDescriptions, ...musicDescriptions }

/** Returns the description of a field by its name, or by its name in camelCase. */
function findDescription(name: string): string | undefined {
  return fields[name] ?? fields[camelCase(name)]
}

/** Adds a description to each parameter and field that has no description. */
export function describeFields(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  return describeNode(document, '') as oas31.OpenAPIObject
}

/** `context`: name of the nearest component or field that contains the node. */
function describeNode(node: unknown, context: string): unknown {
  if (Array.isArray(node)) return node.map((each) => describeNode(each, context))
  if (typeof node !== 'object' || node === null) return node
  if (isParameter(node)) return describeParameter(node)
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      if (name === 'example' || name === 'examples') return [name, value]
      if (name === 'schemas') return [name, mapEntries(value as object, (each, key) => describeNode(each, key))]
      if (name === 'properties')
        return [name, mapEntries(value as object, (each, key) => describeField(each as Schema, key, context))]
      return [name, describeNode(value, context)]
    }),
  )
}

function describeField(schema: Schema, name: string, context: string): unknown {
  const described = describeNode(schema, name) as Schema
  if (schema.description !== undefined || schema.$ref !== undefined) return described
  const description = fields[`${context}.${name}`] ?? describeConstant(schema) ?? findDescription(name)
  return description === undefined ? described : { ...described, description }
}

function describeConstant(schema: Schema): string | undefined {
  const [only, ...others] = schema.enum ?? (schema.const === undefined ? [] : [schema.const as unknown])
  return only === undefined || others.length > 0 ? undefined : `Always \`${String(only)}\`.`
}

function isParameter(node: object): node is oas31.ParameterObject {
  return 'in' in node && 'name' in node && 'schema' in node
}

function describeParameter(parameter: oas31.ParameterObject): oas31.ParameterObject {
  const { name, description = parameterDescriptions[name] ?? findDescription(name) } = parameter
  return description === undefined ? parameter : { ...parameter, description }
}

function mapEntries<T>(record: object, change: (value: unknown, key: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
