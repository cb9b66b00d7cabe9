import type { oas31 } from 'zod-openapi'

type Components = Record<string, Record<string, unknown>>

/** Returns the components that an operation refers to, directly or indirectly, including its security schemes. */
export function collectReferences(
  operation: oas31.OperationObject,
  document: oas31.OpenAPIObject,
): { components?: Components } {
  const components = (document.components ?? {}) as Components
  const referenced: Components = {}
  const addComponent = (kind: string, name: string): void => {
    const component = components[kind]?.[name]
    if (component === undefined || referenced[kind]?.[name] !== undefined) return
    referenced[kind] = { ...referenced[kind], [name]: component }
    visit(component)
  }
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, member] of Object.entries(node)) {
      const [, kind, name] = key === '$ref' ? (/^#\/components\/([^/]+)\/(.+)$/.exec(String(member)) ?? []) : []
      if (kind !== undefined && name !== undefined) addComponent(kind, name)
      else visit(member)
    }
  }
  visit(operation)
  for (const choice of operation.security ?? document.security ?? [])
    for (const name of Object.keys(choice)) addComponent('securitySchemes', name)
  return Object.keys(referenced).length === 0 ? {} : { components: referenced }
}
