import sanitizeHtml from 'sanitize-html'
import { asWritten, htmlOfMarkdown } from '../mail/markdown.ts'
import { parseUrl } from '../fields/url.ts'
import { Html } from '../pages/html.ts'

/** Characters of Markdown that one page is made from; more is shown as it was written, which costs little. */
const maxCharacters = 200_000

const tags =
  'h3 h4 p br hr ul ol li dl dt dd blockquote pre code span kbd b strong i em u s del sub sup small table thead tbody tr th td a'

const options: sanitizeHtml.IOptions = {
  allowedTags: tags.split(' '),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'], pre: ['tabindex'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    // Above these stand the title of the page and the name of whoever speaks.
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    pre: (tagName) => ({ tagName, attribs: { tabindex: '0' } }),
    img: (_, { alt = '' }) => ({ tagName: 'span', attribs: {}, text: alt }),
    a: (tagName, { href }) => ({ tagName, attribs: linkTo(href) }),
  },
}

/** Text with its paragraphs and lines, and nothing else. */
export function writtenWords(text: string): Html {
  return new Html(asWritten(text))
}

/** For the Markdown of one page: no picture, script, form, style or address of another kind survives. */
export function createMarkdownWords(): (text: string) => Html {
  let left = maxCharacters
  return (text) => {
    left -= text.length
    if (left < 0) return writtenWords(text)
    // Wide ones scroll by themselves, with the keyboard too.
    const clean = sanitizeHtml(htmlOfMarkdown(text), options)
      .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
    return new Html(clean)
  }
}

function linkTo(href = ''): Record<string, string> {
  const protocol = parseUrl(href)?.protocol ?? ''
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? { href, rel: 'noopener noreferrer nofollow' } : {}
}
