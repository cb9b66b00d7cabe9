/**
 * Script of the fake model for a turn: `steps - 1` steps of one tool call each, then a text of `tokens` tokens. Stands
 * as JSON in the last user message.
 */
export type Plan = {
  tokens: number
  /** 0: as fast as possible. */
  perSecond: number
  steps?: number
  /** Tool that the steps call: one that only returns, one that works in the sandbox, or one that does not exist. */
  tool?: 'todo' | 'read' | 'none'
  /**
   * Moment of the first token on the clock of `clockMicroseconds`, give or take one interval. Past or unset:
   * immediately.
   */
  beginAt?: number
  /** Each token also carries its place in the answer. */
  numbered?: boolean
  /** The fake model remembers when it was called for a plan of this name. */
  name?: string
}

export function planText(plan: Plan): string {
  return JSON.stringify(plan)
}

/** Microseconds of a clock that all processes of this machine share. */
export function clockMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** A token that carries the time at which it was sent. */
export function stampedToken(): string {
  return `@${clockMicroseconds()};`
}

/** Finds the stamps in text as it comes, also one that two pieces share. */
export function createStampReader(onStamp: (sentAt: number) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const whole = rest + text
    let index = 0
    for (;;) {
      const begin = whole.indexOf('@', index)
      // Other text around a token may also contain this sign.
      if (begin >= 0 && /[^0-9]/.test(whole.charAt(begin + 1))) {
        index = begin + 1
        continue
      }
      const end = begin < 0 ? -1 : whole.indexOf(';', begin)
      if (end < 0) {
        rest = begin < 0 ? '' : whole.slice(begin)
        return
      }
      onStamp(Number(whole.slice(begin + 1, end)))
      index = end + 1
    }
  }
}
