import type { Data } from '../access/calls.ts'

/** Response of the operator overview. */
export type Overview = Data<'get', '/api/operator/overview'>
