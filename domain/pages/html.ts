/** Escaped HTML, which is not escaped again. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

type Content = Html | string | number | boolean | null | undefined | readonly Content[]

/** Builds HTML from a template. Escapes all values except `Html`. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part))
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
}

function render(value: Content): string {
  if (value instanceof Html) return value.text
  if (isList(value)) return value.map(render).join('')
  if (value === undefined || value === null || value === false) return ''
  return escapeHtml(String(value))
}

function isList(value: Content): value is readonly Content[] {
  return Array.isArray(value)
}
