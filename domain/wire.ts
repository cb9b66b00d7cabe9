import type { z } from 'zod'

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** A row with the values of a response. Its names are in camelCase, and its times may be dates. */
type RowOf<Response> = {
  readonly [Name in keyof Response as CamelCase<Name & string>]: string extends Response[Name]
    ? Response[Name] | Date
    : Response[Name]
}

/** Returns the fields of a response from the fields of a row that have the same names. Omits undefined fields. */
export function toWire<S extends z.ZodObject>({ shape }: S, row: RowOf<z.output<S>>): z.output<S> {
  const values = row as Readonly<Record<string, unknown>>
  const fields = Object.keys(shape).map((name) => [name, toWireValue(values[camelCase(name)])])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as z.output<S>
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function toWireValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}
