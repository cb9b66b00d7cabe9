import { createMarkdown } from '../markdown/markdown.ts'
import { htmlLayout, textLayout, type Footer } from './layout.ts'
import { toPlainText } from './plain.ts'
import { cleanHtml } from './sanitize.ts'
import { deriveSubject } from './subject.ts'

export type MailSource = {
  subject?: string | undefined
  text?: string | undefined
  html?: string | undefined
  footer?: Footer | undefined
}

const markdown = createMarkdown({ breaks: true })
const noWords = 'This message has no text.'

export type RenderedMail = { subject: string; html: string; text: string }

/**
 * Renders subject, HTML and plain text of an email from `html` or, without it, from the Markdown in `text`, in the standard
 * layout. Takes up to a second for large texts.
 */
export function renderMail({ subject = '', text = '', html = '', footer = {} }: MailSource): RenderedMail {
  const body = renderBody(text, html)
  const plain = toPlainText(body)
  return {
    subject: deriveSubject({ subject, text, plainHtml: isBlank(html) ? '' : plain }),
    html: htmlLayout(body, footer),
    text: textLayout(plain, footer),
  }
}

function renderBody(text: string, html: string): string {
  return cleanHtml(isBlank(html) ? markdown.render(markdown.parse(isBlank(text) ? noWords : text.trim())) : html)
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
