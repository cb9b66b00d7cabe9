/** A parsed form of Stripe's API: `a[b][0][c]=x` is `{ a: { b: { 0: { c: 'x' } } } }`. */
export type Form = { [name: string]: string | Form }

export const readForm = (text: string): Form => {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean)
    const last = path.pop() ?? ''
    let at = form
    for (const step of path) {
      const next = at[step]
      at = typeof next === 'object' ? next : (at[step] = {})
    }
    at[last] = value
  }
  return form
}

export const text = (form: Form, ...path: string[]): string | undefined => {
  let at: string | Form | undefined = form
  for (const step of path) at = typeof at === 'object' ? at[step] : undefined
  return typeof at === 'string' ? at : undefined
}

export const readStrings = (form: Form, name: string): Record<string, string> => {
  const member = form[name]
  if (typeof member !== 'object') return {}
  return Object.fromEntries(
    Object.entries(member).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
