import { afterAll, vi } from 'vitest'

// Files share a process: with the timers that one file has replaced, the next would wait forever.
afterAll(() => {
  if (!vi.isFakeTimers()) return
  vi.useRealTimers()
  throw new Error('this file leaves fake timers to the next one')
})
