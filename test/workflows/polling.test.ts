import { describe, expect, test } from 'vitest'
import { nextPollMs, nextStartMs, providerRunTimeoutMs } from '../../workflows/provider-runs/polling.ts'
import { slotPauseMs } from '../../workflows/content/times.ts'

/** Counts the polls within a period. */
const countPolls = (limitMs: number, nextMs: (polls: number, elapsedMs: number) => number | undefined): number => {
  let polls = 0
  for (let elapsedMs = 0; elapsedMs < limitMs; polls++) {
    const pauseMs = nextMs(polls, elapsedMs)
    if (pauseMs === undefined) return polls
    elapsedMs += pauseMs
  }
  return polls
}

const hourMs = 60 * 60 * 1000
/** The events of one poll: an activity, a timer that ends early, and their workflow tasks. */
const eventsPerPoll = 12
/** The engine suggests continuing as new at 4,096 events and ends a workflow at 51,200. */
const suggestedEvents = 4096

describe('polling', () => {
  test.each([2, 5, 30])(
    "for a free provider slot, first after %i s, stays below Temporal's suggested event limit for 5 hours",
    (seconds) => {
      const polls = countPolls(5 * hourMs, (refusals) => nextStartMs(seconds, refusals))
      expect(polls * eventsPerPoll).toBeLessThan(suggestedEvents)
    },
  )

  test("for the end of a provider run stays below Temporal's suggested event limit", () => {
    const polls = countPolls(providerRunTimeoutMs, (_, elapsedMs) => nextPollMs(elapsedMs))
    expect(polls * eventsPerPoll).toBeLessThan(suggestedEvents)
  })

  test('never happens sooner than the provider allows', () => {
    expect([0, 1, 20].map((refusals) => nextStartMs(120, refusals))).toEqual([120_000, 120_000, 120_000])
    expect([0, 1, 2, 20].map((refusals) => nextStartMs(2, refusals))).toEqual([2000, 3000, 4500, 60_000])
  })

  test('for a slot of the renderer happens fewer than 260 times an hour', () => {
    expect(countPolls(hourMs, slotPauseMs)).toBeLessThan(260)
  })
})
