import { ActivityFailure, ApplicationFailure } from '@temporalio/common'
import { expect, test } from 'vitest'
import { explainForeignBuild } from '../../workflows/runtime/foreign-build.ts'
import { foreignBuild, unknownActivity } from '../../workflows/messages.ts'

const createFailure = (type: string): ActivityFailure =>
  new ActivityFailure(
    'Activity task failed',
    'someActivity',
    undefined,
    'MAXIMUM_ATTEMPTS_REACHED',
    'worker',
    ApplicationFailure.nonRetryable('this build has no such activity', type),
  )

test('an activity that the worker does not know is reported as a foreign build', () => {
  expect(explainForeignBuild(createFailure(unknownActivity))?.message).toBe(
    `${foreignBuild}: this build has no such activity`,
  )
})

test.each([createFailure('ModelFailed'), new Error('anything else'), undefined])(
  'the failure %s is not reported as a foreign build',
  (error) => {
    expect(explainForeignBuild(error)).toBeUndefined()
  },
)
