import type { oas31 } from 'zod-openapi'

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const

export function listOperations({ paths = {} }: oas31.OpenAPIObject): oas31.OperationObject[] {
  return Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []))
}

/** Applies `change` to each operation of the document. */
export function mapOperations(
  document: oas31.OpenAPIObject,
  change: (operation: oas31.OperationObject) => oas31.OperationObject,
): oas31.OpenAPIObject {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => [
    path,
    Object.fromEntries(
      methods.flatMap((method) => (item[method] === undefined ? [] : [[method, change(item[method])]])),
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths) as oas31.PathsObject }
}
