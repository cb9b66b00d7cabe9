export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectAt(value: unknown, name: string): Json | undefined {
  const member = isObject(value) ? value[name] : undefined
  return isObject(member) ? member : undefined
}

export function numberAt(value: Json | undefined, name: string): number | undefined {
  const member = value?.[name]
  return typeof member === 'number' && Number.isFinite(member) ? member : undefined
}

/** Returns a member that is a non-empty string; undefined otherwise. */
export function textAt(value: Json | undefined, name: string): string | undefined {
  const member = value?.[name]
  return typeof member === 'string' && member !== '' ? member : undefined
}
