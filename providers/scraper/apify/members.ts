import { z } from 'zod'

const row = z.record(z.string(), z.unknown())
export type Row = z.output<typeof row>

/** Returns an item that is an object; undefined for anything else. */
export function toRow(item: unknown): Row | undefined {
  return row.safeParse(item).data
}

/** Returns the objects of a list; none for anything else. */
export function toRows(value: unknown): Row[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown): Row[] => {
    const data = toRow(entry)
    return data === undefined ? [] : [data]
  })
}

/** Returns the first member with a valid value, because actors use different names. `a.b` is a nested member. */
export function member<T>(from: Row, names: readonly string[], schema: z.ZodType<T>): T | null {
  for (const name of names) {
    const value = name.split('.').reduce<unknown>((inner, part) => toRow(inner)?.[part], from)
    const { data } = schema.safeParse(value)
    if (data !== undefined) return data
  }
  return null
}

export const text = z.string().max(2048)
/** A count. Negative numbers, which some platforms return for hidden counts, are invalid. */
export const count = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
