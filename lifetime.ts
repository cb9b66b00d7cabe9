/** Resources that an entry file has opened. They are closed in reverse order. */
export type Lifetime = {
  /** Registers how to close a resource, and returns the resource. After the end of the lifetime, closes it immediately. */
  register: <T>(resource: T, close: (resource: T) => Promise<void>) => T
  close: () => Promise<void>
}

export function createLifetime(): Lifetime {
  const closers: (() => Promise<void>)[] = []
  let isClosed = false
  return {
    register: (resource, close) => {
      if (isClosed) close(resource).catch(() => {})
      else closers.unshift(() => close(resource))
      return resource
    },
    close: async () => {
      isClosed = true
      for (const close of closers.splice(0)) await close()
    },
  }
}
