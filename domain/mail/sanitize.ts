import type { IOptions } from 'sanitize-html'
import { parseUrl } from '../fields/url.ts'
import { sanitize } from '../pages/sanitize.ts'

const textTags =
  'h1 h2 h3 h4 h5 h6 p div span br hr ul ol li dl dt dd blockquote pre code kbd b strong i em u s del ins sub sup small mark center'
const tableTags = 'table caption thead tbody tfoot tr th td'
const cellAttributes = ['align', 'valign', 'width', 'height', 'bgcolor', 'colspan', 'rowspan']

// Values without external references: no url(), no expression(), no import.
const plainValue = /^(?:[\w#%.,\s-]|(?:rgb|hsl)a?\([\d\s.,%]{1,40}\)){1,200}$/i
const styles = [
  'background-color border border-bottom border-collapse border-color border-left border-radius border-right border-spacing',
  'border-style border-top border-width color display font-family font-size font-style font-weight height letter-spacing',
  'line-height margin margin-bottom margin-left margin-right margin-top max-width padding padding-bottom padding-left',
  'padding-right padding-top text-align text-decoration text-transform vertical-align white-space width',
]
  .join(' ')
  .split(' ')

const linkProtocols = ['http:', 'https:', 'mailto:']

const options: IOptions = {
  allowedTags: [...textTags.split(' '), ...tableTags.split(' '), 'a', 'img'],
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'align'],
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    table: ['width', 'border', 'cellpadding', 'cellspacing', 'bgcolor'],
    td: cellAttributes,
    th: cellAttributes,
  },
  allowedStyles: { '*': Object.fromEntries(styles.map((name) => [name, [plainValue]])) },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, { href, ...attribs }) => ({
      tagName,
      attribs: {
        ...attribs,
        ...(href !== undefined && hasProtocol(href, linkProtocols) && { href, rel: 'noopener noreferrer' }),
      },
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !hasProtocol(attribs['src'], ['https:']),
}

/** Removes what an email must not contain from HTML: scripts, forms, frames, style sheets and URLs with other schemes. */
export function cleanHtml(html: string): string {
  return sanitize(html, options)
}

function hasProtocol(url: string | undefined, protocols: readonly string[]): boolean {
  return protocols.includes(parseUrl(url ?? '')?.protocol ?? '')
}
