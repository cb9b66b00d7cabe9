/** A parsed form of Stripe's API: `a[b][0][c]=x` is `{ a: { b: { 0: { c: 'x' } } } }`. */
export type Form = { [name: string]: string | Form }

export const readForm = (text: string): Form => {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean)
    const last = path.pop() ?? ''
    let node = form
    for (const step of path) {
      const next = node[step]
      node = typeof next === 'object' ? next : (node[step] = {})
    }
    node[last] = value
  }
  return form
}

export const text = (form: Form, ...path: string[]): string | undefined => {
  let node: string | Form | undefined = form
  for (const step of path) node = typeof node === 'object' ? node[step] : undefined
  return typeof node === 'string' ? node : undefined
}

export const readStrings = (form: Form, name: string): Record<string, string> => {
  const member = form[name]
  if (typeof member !== 'object') return {}
  return Object.fromEntries(
    Object.entries(member).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
