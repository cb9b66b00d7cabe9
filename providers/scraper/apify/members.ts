import { z } from 'zod'

const row = z.record(z.string(), z.unknown())
export type Row = z.output<typeof row>

/** Returns an item if it is an object; otherwise undefined. */
export function toRow(item: unknown): Row | undefined {
  return row.safeParse(item).data
}

/** Returns the objects in a list; an empty list for other values. */
export function toRows(value: unknown): Row[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown): Row[] => {
    const data = toRow(entry)
    return data === undefined ? [] : [data]
  })
}

/** Returns the first valid value of several members, because actors use different names. `a.b` names a nested member. */
export function readMember<T>(from: Row, names: readonly string[], schema: z.ZodType<T>): T | null {
  for (const name of names) {
    const value = name.split('.').reduce<unknown>((inner, part) => toRow(inner)?.[part], from)
    const { data } = schema.safeParse(value)
    if (data !== undefined) return data
  }
  return null
}

export const text = z.string().max(2048)
/** Schema of a count. Negative numbers, which some platforms return for hidden counts, are invalid. */
export const count = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
