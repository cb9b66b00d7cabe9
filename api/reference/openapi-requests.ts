import type { oas31 } from 'zod-openapi'
import { patterns } from '../../domain/fields/fields.ts'

type Schema = oas31.SchemaObject
type Schemas = Record<string, Schema>

const anyValue: Schema = { $ref: '#/components/schemas/Json' }

/** Replaces a recursive schema of JSON values, which most client generators cannot compile. */
export const jsonComponents: Schemas = {
  Json: { description: 'Any JSON value. Its strings contain no U+0000.' },
}

type Operation = oas31.OperationObject
type Parameter = oas31.ParameterObject

/** Adds the checks of the dispatcher to the parameters and the JSON body of an operation. */
export function addRequestChecks(operation: Operation): Operation {
  const { parameters, requestBody } = operation
  const body = requestBody as oas31.RequestBodyObject | undefined
  const json = body?.content?.['application/json']
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((each) => addParameterChecks(each as Parameter)) }),
    ...(body &&
      json?.schema && {
        requestBody: {
          ...body,
          content: {
            ...body.content,
            'application/json': { ...json, schema: addStorableCheck(json.schema as Schema) },
          },
        },
      }),
  }
}

function addParameterChecks(parameter: Parameter): Parameter {
  if (parameter.schema === undefined) return parameter
  const schema = addStorableCheck(parameter.schema as Schema)
  const mayBeEmpty = parameter.in === 'query' && parameter.required !== true
  return { ...parameter, schema: mayBeEmpty ? orEmpty(schema) : schema }
}

/** Adds the dispatcher's check that no string at any depth contains NUL to a request schema. */
function addStorableCheck(schema: Schema): Schema {
  if (schema.$ref !== undefined) return schema
  if (Object.keys(schema).length === 0) return anyValue
  const { properties, items, additionalProperties, propertyNames, anyOf, oneOf } = schema
  return {
    ...schema,
    ...(schema.type === 'string' && !isConstrained(schema) && { pattern: patterns.storable }),
    ...(properties && { properties: addChecksToEach(properties as Schemas) }),
    ...(items !== undefined && { items: addStorableCheck(items as Schema) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: addStorableCheck(additionalProperties as Schema),
    }),
    ...(propertyNames !== undefined && { propertyNames: addStorableCheck(propertyNames as Schema) }),
    ...(anyOf && { anyOf: anyOf.map((each) => addStorableCheck(each as Schema)) }),
    ...(oneOf && { oneOf: oneOf.map((each) => addStorableCheck(each as Schema)) }),
  }
}

function isConstrained({ pattern, enum: values, const: value, format, maxLength }: Schema): boolean {
  return [pattern, values, value, format].some((rule) => rule !== undefined) || maxLength === 0
}

function addChecksToEach(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, addStorableCheck(schema)]))
}

/** Allows an empty value, which the dispatcher treats as absent in a query. */
function orEmpty(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'string', maxLength: 0 }] }
}
