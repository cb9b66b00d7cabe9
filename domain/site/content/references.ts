import type { oas31 } from 'zod-openapi'

type Components = Record<string, Record<string, unknown>>

/** Returns the components that an operation refers to, directly or indirectly, including its security schemes. */
export function referencedBy(
  operation: oas31.OperationObject,
  document: oas31.OpenAPIObject,
): { components?: Components } {
  const all = (document.components ?? {}) as Components
  const found: Components = {}
  const take = (kind: string, name: string): void => {
    const component = all[kind]?.[name]
    if (component === undefined || found[kind]?.[name] !== undefined) return
    found[kind] = { ...found[kind], [name]: component }
    visit(component)
  }
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, member] of Object.entries(node)) {
      const [, kind, name] = key === '$ref' ? (/^#\/components\/([^/]+)\/(.+)$/.exec(String(member)) ?? []) : []
      if (kind !== undefined && name !== undefined) take(kind, name)
      else visit(member)
    }
  }
  visit(operation)
  for (const choice of operation.security ?? document.security ?? [])
    for (const name of Object.keys(choice)) take('securitySchemes', name)
  return Object.keys(found).length === 0 ? {} : { components: found }
}
