/**
 * Script of the fake model for a turn: `steps - 1` steps of one tool call each, then a text of `tokens` tokens. The last
 * user message contains it as JSON.
 */
export type Plan = {
  tokens: number
  /** Tokens per second; 0 sends all tokens immediately. */
  perSecond: number
  steps?: number
  /** Tool that the steps call. `todo` only returns, `read` uses the sandbox, `none` does not exist. */
  tool?: 'todo' | 'read' | 'none'
  /** `clockMicroseconds` of the first token, plus up to one interval. If unset or in the past, sending starts immediately. */
  beginAt?: number
  /** Each token also carries its index in the answer. */
  numbered?: boolean
  /** The fake model records the times of its calls for a plan with this name. */
  name?: string
}

export function encodePlan(plan: Plan): string {
  return JSON.stringify(plan)
}

/** Returns the microseconds of a clock that all processes of this machine share. */
export function clockMicroseconds(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e6 + Math.floor(nanoseconds / 1000)
}

/** Returns a token that carries the time at which it was sent. */
export function createStampedToken(): string {
  return `@${clockMicroseconds()};`
}

/** Finds the timestamps in a text that arrives in pieces, including a timestamp that is split between two pieces. */
export function createStampReader(onStamp: (sentAt: number) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const combined = rest + text
    let index = 0
    for (;;) {
      const begin = combined.indexOf('@', index)
      // Other text around a token may also contain this character.
      if (begin >= 0 && /[^0-9]/.test(combined.charAt(begin + 1))) {
        index = begin + 1
        continue
      }
      const end = begin < 0 ? -1 : combined.indexOf(';', begin)
      if (end < 0) {
        rest = begin < 0 ? '' : combined.slice(begin)
        return
      }
      onStamp(Number(combined.slice(begin + 1, end)))
      index = end + 1
    }
  }
}
