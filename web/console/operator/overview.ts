import type { paths } from '../../../client/schema.ts'

type Responses = paths['/api/operator/overview']['get']['responses']

/** Response of the operator overview. */
export type Overview = Responses[200]['content']['application/json']
