import { describe, expect, it } from 'vitest'
import { needsAllFiles } from '../../../domain/sandboxes/checkpoints.ts'
import { describeLoss, lossFrame, type SandboxLoss } from '../../../domain/sandboxes/loss.ts'

const megabyte = 1024 * 1024
const toPacks = (...sizes: number[]) => sizes.map((bytes, index) => ({ id: `pack-${index}`, bytes }))

const withChanges = (bytes: number, changes: number) => toPacks(bytes, ...Array.from({ length: changes }, () => 1))

describe('all files are stored', () => {
  it('first, and again once the changes are larger than the files', () => {
    expect(needsAllFiles([])).toBe(true)
    expect(needsAllFiles(toPacks(100 * megabyte, 60 * megabyte))).toBe(false)
    expect(needsAllFiles(toPacks(100 * megabyte, 60 * megabyte, 41 * megabyte))).toBe(true)
  })

  it('always in a small sandbox', () => {
    expect(needsAllFiles(toPacks(0.5 * megabyte))).toBe(false)
    expect(needsAllFiles(toPacks(0.4 * megabyte))).toBe(true)
  })

  it('again after as many packs as the files take to restore, at most 32', () => {
    expect(needsAllFiles(withChanges(4 * megabyte, 6))).toBe(false)
    expect(needsAllFiles(withChanges(4 * megabyte, 7))).toBe(true)
    expect(needsAllFiles(withChanges(1000 * megabyte, 30))).toBe(false)
    expect(needsAllFiles(withChanges(1000 * megabyte, 31))).toBe(true)
  })
})

describe('the announcement of a loss', () => {
  const lostAt = Date.parse('2026-11-27T17:20:03.000Z')
  const at = Date.parse('2026-11-27T17:19:41.000Z')
  const base: SandboxLoss = { epoch: 2, lostAt, commit: 'abc' }
  const checkpoint = { at, runId: 'wrun_1', step: 3, isTooLarge: false }

  it('contains the time and the step of the restored checkpoint', () => {
    expect(lossFrame('m', { ...base, checkpoint })['data']).toMatchObject({
      checkpoint: { at: '2026-11-27T17:19:41.000Z', runId: 'wrun_1', step: 3 },
    })
    expect(describeLoss({ ...base, checkpoint })).toBe(
      'The machine of the sandbox was lost, which was detected at 2026-11-27T17:20:03.000Z. The sandbox was created again with the files of its checkpoint at 2026-11-27T17:19:41.000Z: later changes that were not pushed, and background commands, are gone.',
    )
  })

  it('contains the commit without a checkpoint, and states that the files were too large', () => {
    const none = { at: null, runId: null, step: null, isTooLarge: true }
    expect(lossFrame('m', base)['data']).toMatchObject({ checkpoint: null, commit: 'abc' })
    expect(lossFrame('m', { ...base, checkpoint: none })['data']).toMatchObject({ checkpoint: null })
    expect(describeLoss({ ...base, checkpoint: none })).toMatch(/has the files of commit abc.*exceeded the size limit/)
    expect(describeLoss(base)).not.toContain('size limit')
  })
})
