/** Status and fixed message of each error code. Messages never repeat input. */
export const siteErrors = {
  INVALID_QUERY: [400, 'Send a query of 1 to 240 characters without control characters.'],
  INVALID_TYPE: [400, 'Choose type all, page, docs, blog or playbook.'],
  INVALID_LIMIT: [400, 'Send limit as an integer from 1 to 10.'],
  INVALID_CURSOR: [400, 'This cursor does not belong to this search. Start the search again without it.'],
  INVALID_ID: [400, 'Send an id exactly as a search returned it.'],
  INVALID_OFFSET: [400, 'Send offset as an integer within the document.'],
  INVALID_MAX_LENGTH: [400, 'Send maxLength as an integer from 1 to 12000.'],
  INVALID_JSON: [400, 'Send one JSON object in UTF-8.'],
  INVALID_INPUT: [400, 'Correct the listed fields.'],
  UNKNOWN_TOOL: [400, 'Choose one of the five tool names.'],
  NOT_FOUND: [404, 'No public content has this address.'],
  METHOD_NOT_ALLOWED: [405, 'Use a method listed in the Allow header.'],
  BODY_TOO_LARGE: [413, 'Send at most 16384 bytes.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as application/json.'],
  RATE_LIMITED: [429, 'Too many requests. Wait and try again.'],
  UNAVAILABLE: [503, 'The tools are unavailable for a moment. Try again.'],
} as const

export type SiteErrorCode = keyof typeof siteErrors
export type Issue = { field: string; message: string }
export type SiteErrorBody = { error: { code: SiteErrorCode; message: string; issues?: Issue[] } }

const parameterMessage = 'Check the query parameters: each known one at most once, numbers as digits.'
const maxFieldLength = 100

/**
 * Error for a rejected request. `fields` are the invalid inputs. A field without its own message gets `message`.
 */
export class SiteError extends Error {
  override readonly name = 'SiteError'
  readonly status: number
  readonly body: SiteErrorBody

  readonly code: SiteErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: SiteErrorCode,
    fields: readonly (string | Issue)[] = [],
    message: string = siteErrors[code][1],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.code = code
    this.headers = headers
    this.status = siteErrors[code][0]
    const issues = fields.map((field) => {
      const issue = typeof field === 'string' ? { field, message } : field
      return { ...issue, field: Array.from(issue.field).slice(0, maxFieldLength).join('') }
    })
    this.body = { error: { code, message, ...(issues.length > 0 ? { issues } : {}) } }
  }
}

/** Creates the error for a valid request that the client may repeat. */
export function unavailable(): SiteError {
  return new SiteError('UNAVAILABLE', [], undefined, { 'retry-after': '5' })
}

/** Creates the error for a query parameter that is unknown, repeated or not a number. */
export function createParameterError(name: string): SiteError {
  return new SiteError('INVALID_QUERY', [name], parameterMessage)
}
