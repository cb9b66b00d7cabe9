import createParser, { type MarkdownIt, type Renderer, type Token } from 'markdown-it'
import { budgetEnv, createBudget, maxNesting, BudgetExceededError, spendOutput, spendToken } from './budget.ts'
import { plainTextHtml } from './written.ts'

export type MarkdownOptions = {
  /** Whether a line break in the source is rendered as a line break. */
  breaks: boolean
  rules?: Renderer['rules']
}

/**
 * Parses GitHub Flavored Markdown in time and memory proportional to its source, within a budget: a document over the budget
 * becomes one `written` token, which shows the source. Raw HTML and URLs of every scheme are kept; each renderer decides
 * what it shows and links.
 */
export function createMarkdown({ breaks, rules = {} }: MarkdownOptions) {
  const parser = createBoundedParser(breaks)
  Object.assign(parser.renderer.rules, { written: renderWritten }, rules)

  const parse = (text: string, budget = createBudget()): Token[] => {
    if (text.length > budget.characters) return [writtenToken(parser, text)]
    budget.characters -= text.length
    try {
      const tokens = parser.parse(text, budgetEnv(budget))
      spendOutput(budget, tokens)
      return tokens
    } catch (error) {
      if (error instanceof BudgetExceededError) return [writtenToken(parser, text)]
      throw error
    }
  }

  return {
    /** Parses a document and reduces the budget by its size. */
    parse,
    render: (tokens: Token[]): string => parser.renderer.render(tokens, parser.options),
  }
}

function createBoundedParser(breaks: boolean): MarkdownIt {
  const parser = createParser({ html: true, linkify: true, breaks, maxNesting })
  parser.validateLink = () => true
  // Otherwise, file names that look like domains would become links.
  parser.linkify.set({ fuzzyLink: false })
  const { block, inline } = parser
  block.State = class extends block.State {
    override push(...token: Parameters<InstanceType<typeof block.State>['push']>): Token {
      spendToken(this.env)
      return super.push(...token)
    }
  }
  inline.State = class extends inline.State {
    override push(...token: Parameters<InstanceType<typeof inline.State>['push']>): Token {
      spendToken(this.env)
      return super.push(...token)
    }
    override pushPending(): Token {
      spendToken(this.env)
      return super.pushPending()
    }
  }
  return parser
}

function writtenToken(parser: MarkdownIt, text: string): Token {
  const { Token } = new parser.core.State(text, parser, {})
  const token = new Token('written', '', 0)
  token.content = text
  return token
}

function renderWritten(tokens: Token[], index: number): string {
  return `${plainTextHtml(tokens[index]?.content ?? '')}\n`
}
