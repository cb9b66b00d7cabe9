import type { Env, Token } from 'markdown-it'

/** Maximum nesting of blocks, and of inline markup in a paragraph. A list counts as two levels. */
export const maxNesting = 24

const fullBudget = {
  characters: 200_000,
  /** Tokens become elements. A table of r rows and c columns takes 3·r·c tokens, even if its rows are short. */
  tokens: 20_000,
  /** Characters of text and attributes. Reference links repeat an address that the source contains once. */
  output: 1_000_000,
}

/** Remaining budget for the documents of one page. */
export type MarkdownBudget = typeof fullBudget

export function createBudget(): MarkdownBudget {
  return { ...fullBudget }
}

export class BudgetExceededError extends Error {}

const key = Symbol('budget')

export function budgetEnv(budget: MarkdownBudget): Env {
  return { [key]: budget }
}

/** Charges one token. Must be called before the token is created. Throws `BudgetExceededError` when the budget is used up. */
export function spendToken(env: Env): void {
  const budget = env[key] as MarkdownBudget | undefined
  if (budget !== undefined && --budget.tokens < 0) throw new BudgetExceededError('tokens')
}

/** Charges the output of tokens. Must be called before they are rendered. Throws `BudgetExceededError`, like `spendToken`. */
export function spendOutput(budget: MarkdownBudget, tokens: readonly Token[]): void {
  for (const { content, attrs, children } of tokens) {
    // The content of a token with children is their source.
    if (children === null) budget.output -= content.length
    else spendOutput(budget, children)
    for (const [, value] of attrs ?? []) budget.output -= String(value).length
    if (budget.output < 0) throw new BudgetExceededError('output')
  }
}
