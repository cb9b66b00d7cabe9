import { ActivityFailure, ApplicationFailure } from '@temporalio/common'
import { expect, test } from 'vitest'
import { refuseForeignBuild } from '../../workflows/foreign-build.ts'
import { foreignBuild, unknownActivity } from '../../workflows/messages.ts'

const failed = (type: string): ActivityFailure =>
  new ActivityFailure(
    'Activity task failed',
    'someActivity',
    undefined,
    'MAXIMUM_ATTEMPTS_REACHED',
    'worker',
    ApplicationFailure.nonRetryable('this build has no such activity', type),
  )

const refusal = (error: unknown): unknown => {
  try {
    refuseForeignBuild(error)
    return undefined
  } catch (refused) {
    return refused
  }
}

test('an activity that the worker does not know fails the workflow task, through every catch on the way', () => {
  const first = refusal(failed(unknownActivity))
  expect(first).toBeInstanceOf(Error)
  expect((first as Error).message.startsWith(foreignBuild)).toBe(true)
  expect(refusal(first)).toBe(first)
})

test.each([failed('ModelFailed'), new Error('anything else'), undefined])('%s is no foreign build', (error) => {
  expect(refusal(error)).toBeUndefined()
})
