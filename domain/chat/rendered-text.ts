import type { IOptions } from 'sanitize-html'
import { createBudget } from '../markdown/budget.ts'
import { createMarkdown } from '../markdown/markdown.ts'
import { plainTextHtml } from '../markdown/written.ts'
import { parseUrl } from '../fields/url.ts'
import { Html } from '../pages/html.ts'
import { sanitize } from '../pages/sanitize.ts'

const markdown = createMarkdown({ breaks: true })

const tags =
  'h3 h4 p br hr ul ol li dl dt dd blockquote pre code span kbd b strong i em u s del sub sup small table thead tbody tr th td a'

const options: IOptions = {
  allowedTags: tags.split(' '),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'], pre: ['tabindex'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    // The page title is h1, and the speaker's name is h2.
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    pre: (tagName) => ({ tagName, attribs: { tabindex: '0' } }),
    img: (_, { alt = '' }) => ({ tagName: 'span', attribs: {}, text: alt }),
    a: (tagName, { href }) => ({ tagName, attribs: linkTo(href) }),
  },
}

/** Renders plain text as HTML that keeps its paragraphs and line breaks. */
export function renderPlainText(text: string): Html {
  return new Html(plainTextHtml(text))
}

/**
 * Returns a renderer for the Markdown texts of one page, which share one budget. Replaces images with their alternative
 * text, and removes scripts, forms, styles and all URLs except those of links.
 */
export function createMarkdownRenderer(): (text: string) => Html {
  const budget = createBudget()
  return (text) => {
    // Wide tables scroll separately, including by keyboard.
    const clean = sanitize(markdown.render(markdown.parse(text, budget)), options)
      .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
    return new Html(clean)
  }
}

function linkTo(href = ''): Record<string, string> {
  const protocol = parseUrl(href)?.protocol ?? ''
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? { href, rel: 'noopener noreferrer nofollow' } : {}
}
