import { z } from 'zod'

const row = z.record(z.string(), z.unknown())
export type Row = z.output<typeof row>

/** An item as an object; undefined for anything else. */
export function toRow(item: unknown): Row | undefined {
  return row.safeParse(item).data
}

/** The objects of a list; none for anything else. */
export function toRows(value: unknown): Row[] {
  return (Array.isArray(value) ? value : []).flatMap((one: unknown): Row[] => {
    const data = toRow(one)
    return data === undefined ? [] : [data]
  })
}

/** The first of the members that has such a value: actors spell them in several ways. `a.b` is a member of a member. */
export function member<T>(from: Row, names: readonly string[], schema: z.ZodType<T>): T | null {
  for (const name of names) {
    const value = name.split('.').reduce<unknown>((inner, part) => toRow(inner)?.[part], from)
    const { data } = schema.safeParse(value)
    if (data !== undefined) return data
  }
  return null
}

export const text = z.string().max(2048)
/** Below zero is what platforms show of counts that are hidden. */
export const count = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
