/** What an entry file opened, closed in the opposite order. */
export type Lifetime = {
  /** Remembers how to close this and gives it back. What comes when all else is closed is closed immediately. */
  hold: <T>(thing: T, close: (thing: T) => Promise<void>) => T
  close: () => Promise<void>
}

export function createLifetime(): Lifetime {
  const closers: (() => Promise<void>)[] = []
  let isClosed = false
  return {
    hold: (thing, close) => {
      if (isClosed) close(thing).catch(() => {})
      else closers.unshift(() => close(thing))
      return thing
    },
    close: async () => {
      isClosed = true
      for (const close of closers.splice(0)) await close()
    },
  }
}
