import { z } from 'zod'
import { tools } from '../tools/index.ts'

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** Returns the tools with their input schemas. */
export function listTools() {
  return Object.entries(tools).map(([name, { title, description, input }]) => ({
    name,
    title,
    description,
    inputSchema: objectSchema(input, 'input'),
    annotations: { title, ...annotations },
  }))
}

/** Returns the tools with their input and output schemas, for MCP clients. */
export function listMcpTools() {
  const outputs = Object.values(tools).map(({ output }) => objectSchema(output, 'output'))
  return listTools().map((tool, index) => ({ ...tool, outputSchema: outputs[index] ?? { type: 'object' as const } }))
}

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
type ObjectSchema = { type: 'object'; properties?: Record<string, JsonValue>; required?: string[] }

/**
 * Returns the JSON Schema 2020-12 of an object, without `$schema`. Schemas of results allow additional fields, schemas of
 * arguments do not.
 */
export function objectSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io })
  return JSON.parse(JSON.stringify(jsonSchema)) as ObjectSchema
}
