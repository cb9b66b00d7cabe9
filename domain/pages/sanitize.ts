import sanitizeHtml, { type IOptions } from 'sanitize-html'
import { plainTextHtml } from '../markdown/written.ts'
import { isReadableHtml } from './nesting.ts'

/** Keeps only what `options` allow. HTML that nests too deeply is reduced to its text. */
export function sanitize(html: string, options: IOptions): string {
  return isReadableHtml(html) ? sanitizeHtml(html, options) : plainTextHtml(html.replace(/<[^<>]*>/g, ' '))
}
