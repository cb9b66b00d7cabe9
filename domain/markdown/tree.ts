import type { Token } from 'markdown-it'

/** An element or leaf of a document. `type` is the type of its token without `_open`. */
export type MarkdownNode = { type: string; token: Token; children: readonly MarkdownNode[] }

/** Nests the tokens of a document. The parser bounds their depth. */
export function nestTokens(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = []
  const stack = [root]
  for (const token of tokens) {
    if (token.nesting === -1) {
      if (stack.length > 1) stack.pop()
      continue
    }
    const children = nestTokens(token.children ?? [])
    stack.at(-1)?.push({ type: token.type.replace(/_open$/, ''), token, children })
    if (token.nesting === 1) stack.push(children)
  }
  return root
}
