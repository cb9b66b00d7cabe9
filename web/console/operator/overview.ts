import type { paths } from '../../../client/schema.ts'

type Answers = paths['/api/operator/overview']['get']['responses']

/** What the API tells the operator. */
export type Overview = Answers[200]['content']['application/json']
