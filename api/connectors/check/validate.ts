import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Result of a validation. `error`: first violated rule of the schema. `unusable`: the schema cannot be compiled. */
export type Verdict = { valid: true } | { valid: false; error: string } | { unusable: true }

const maxCompiled = 200
const olderDraft = /draft-0[4-7]/
/** Meta-schemas are not loaded, because loading them takes longer than compiling a schema. */
const options = { strict: false, logger: false, allErrors: false, validateSchema: false, meta: false } as const

/** Creates a validator with a cache of recently used schemas. */
export function createValidator(): (schema: string, parameters: string) => Verdict {
  const compiled = new Map<string, ValidateFunction | undefined>()
  return (schema, parameters) => {
    const validator = compiled.has(schema) ? compiled.get(schema) : compile(schema)
    compiled.delete(schema)
    compiled.set(schema, validator)
    const [oldest] = compiled.keys()
    if (compiled.size > maxCompiled && oldest !== undefined) compiled.delete(oldest)
    if (validator === undefined) return { unusable: true }
    if (validator(JSON.parse(parameters))) return { valid: true }
    return { valid: false, error: describeError(validator.errors?.[0]) }
  }
}

/** Each schema has its own compiler, so that no schema can refer to the `$id` of another. */
function compile(text: string): ValidateFunction | undefined {
  const schema = JSON.parse(text) as Record<string, unknown>
  const { $schema: dialect } = schema
  delete schema['$schema']
  // An asynchronous validator would return a promise instead of a result.
  delete schema['$async']
  const ajv = typeof dialect === 'string' && olderDraft.test(dialect) ? new Ajv(options) : new Ajv2020(options)
  try {
    addFormats.default(ajv)
    return ajv.compile(schema)
  } catch {
    return undefined
  }
}

function describeError(error: ErrorObject | undefined): string {
  if (error === undefined) return 'parameters are not valid'
  const path = ['parameters', ...parsePointer(error.instancePath)]
  const missing: unknown = error.params['missingProperty']
  if (error.keyword === 'required' && typeof missing === 'string') return `${[...path, missing].join('.')} is required`
  const extra: unknown = error.params['additionalProperty'] ?? error.params['unevaluatedProperty']
  if (typeof extra === 'string') return `${[...path, extra].join('.')} is not a known parameter`
  return `${path.join('.')} ${error.message ?? 'is not valid'}`
}

function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
