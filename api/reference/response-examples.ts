import type { oas31 } from 'zod-openapi'
import { exampleText } from './example-texts.ts'
import { mapOperations } from './operations.ts'

type Schema = oas31.SchemaObject
type Node = Schema | oas31.ReferenceObject | undefined
type Components = Record<string, Schema | oas31.ReferenceObject>

const maxDepth = 8

/** Adds an example to each JSON response, derived from its schema. The linter of the document validates the examples. */
export function addResponseExamples(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const components = document.components?.schemas ?? {}
  const addExample = <T extends oas31.ResponseObject | oas31.ReferenceObject>(response: T): T => {
    const json = 'content' in response ? response.content?.['application/json'] : undefined
    if (json?.schema === undefined || json.example !== undefined) return response
    const example = sample(json.schema, components)
    return { ...response, content: { 'application/json': { ...json, example } } }
  }
  const addToAll = (responses: Record<string, oas31.ResponseObject | oas31.ReferenceObject> = {}) =>
    Object.fromEntries(Object.entries(responses).map(([key, response]) => [key, addExample(response)]))
  const withExamples = mapOperations(document, (operation) => ({
    ...operation,
    responses: addToAll(operation.responses),
  }))
  const componentResponses = addToAll(document.components?.responses)
  return { ...withExamples, components: { ...document.components, responses: componentResponses } }
}

/** Returns a value that the schema allows. It contains all optional fields, down to a maximum depth. */
function sample(node: Node, components: Components, name = '', depth = 0): unknown {
  if (node === undefined || typeof node !== 'object') return null
  if (isReference(node)) return sample(components[node.$ref.split('/').at(-1) ?? ''], components, name, depth)
  const { const: constant, enum: values, examples, default: preset, anyOf, oneOf, allOf } = node
  if (constant !== undefined) return constant as unknown
  if (examples?.[0] !== undefined) return examples[0] as unknown
  if (values !== undefined) return values[0] as unknown
  if (preset !== undefined) return preset as unknown
  const alternatives = (anyOf ?? oneOf) as Node[] | undefined
  if (alternatives !== undefined) return sample(chooseAlternative(alternatives), components, name, depth)
  if (allOf !== undefined)
    return Object.assign({}, ...allOf.map((part) => sample(part, components, name, depth))) as unknown
  switch ([node.type].flat().find((type) => type !== 'null')) {
    case 'object':
      return sampleObject(node, components, depth)
    case 'array': {
      const isIncluded = depth < maxDepth || (node.minItems ?? 0) > 0
      return isIncluded ? [sample(node.items, components, name, depth + 1)] : []
    }
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return sampleNumber(node)
    case 'string':
      return exampleText(name, node)
    default:
      return depth === 0 || [node.type].flat().includes('null') ? null : {}
  }
}

function isReference(node: Schema | oas31.ReferenceObject): node is oas31.ReferenceObject {
  return node.$ref !== undefined
}

/** Returns the first alternative that is not empty. */
function chooseAlternative(alternatives: Node[]): Node {
  const isEmpty = (node: Node): boolean =>
    node !== undefined && !isReference(node) && (node.type === 'null' || node.maxLength === 0)
  return alternatives.find((node) => !isEmpty(node)) ?? alternatives[0]
}

function sampleObject(node: Schema, components: Components, depth: number): Record<string, unknown> {
  const required = new Set(node.required)
  const properties = Object.entries(node.properties ?? {}).filter(([name]) => required.has(name) || depth < maxDepth)
  return Object.fromEntries(
    properties.map(([name, member]) => [name, sample(member as Node, components, name, depth + 1)]),
  )
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf = 1 }: Schema): number {
  const minValue = minimum ?? (typeof exclusiveMinimum === 'number' ? exclusiveMinimum + multipleOf : 0)
  return minValue === 0 && (maximum ?? Infinity) >= multipleOf ? multipleOf : minValue
}
