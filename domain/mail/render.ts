import { isReadableHtml } from './bounds.ts'
import { htmlLayout, textLayout, type Footer } from './layout.ts'
import { asWritten, htmlOfMarkdown } from './markdown.ts'
import { plainOf } from './plain.ts'
import { cleanHtml } from './sanitize.ts'
import { subjectOf } from './subject.ts'

export type MailSource = {
  subject?: string | undefined
  text?: string | undefined
  html?: string | undefined
  footer?: Footer | undefined
}

const noWords = 'This message has no text.'

const fromHtml = (html: string): string =>
  isReadableHtml(html) ? cleanHtml(html) : asWritten(html.replace(/<[^<>]*>/g, ' '))

const isBlank = (text: string): boolean => text.trim() === ''

const bodyOf = (text: string, html: string): string =>
  isBlank(html) ? cleanHtml(htmlOfMarkdown(isBlank(text) ? noWords : text.trim())) : fromHtml(html)

export type RenderedMail = { subject: string; html: string; text: string }

/**
 * Subject and both forms of a mail: `html` when there is some, else `text` as Markdown, in the house layout. Takes up to
 * seconds for words of somebody else.
 */
export const renderMail = ({ subject = '', text = '', html = '', footer = {} }: MailSource): RenderedMail => {
  const body = bodyOf(text, html)
  const plain = plainOf(body)
  return {
    subject: subjectOf({ subject, text, plainHtml: isBlank(html) ? '' : plain }),
    html: htmlLayout(body, footer),
    text: textLayout(plain, footer),
  }
}
