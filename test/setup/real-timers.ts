import { afterAll, vi } from 'vitest'

// Test files share a process, so fake timers of one file would make the next file hang.
afterAll(() => {
  if (!vi.isFakeTimers()) return
  vi.useRealTimers()
  throw new Error('this test file did not restore the real timers')
})
