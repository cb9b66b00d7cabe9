import sanitizeHtml, { type IOptions } from 'sanitize-html'
import { writtenHtml } from '../markdown/written.ts'
import { isReadableHtml } from './nesting.ts'

/** Keeps what `options` allow. Of HTML that nests too deeply only the words are kept. */
export function sanitize(html: string, options: IOptions): string {
  return isReadableHtml(html) ? sanitizeHtml(html, options) : writtenHtml(html.replace(/<[^<>]*>/g, ' '))
}
