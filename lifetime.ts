/** What an entry file opened, closed in the opposite order. */
export type Lifetime = {
  /** Remembers how to close this and gives it back. */
  hold: <T>(thing: T, close: (thing: T) => Promise<void>) => T
  close: () => Promise<void>
}

export function createLifetime(): Lifetime {
  const closers: (() => Promise<void>)[] = []
  return {
    hold: (thing, close) => {
      closers.unshift(() => close(thing))
      return thing
    },
    close: async () => {
      for (const close of closers.splice(0)) await close()
    },
  }
}
