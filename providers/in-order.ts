/** Returns a function that runs work with the same key one after another, in this process. */
export function createInOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lastByKey = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const current = lastByKey.get(key)?.then(work, work) ?? work()
    lastByKey.set(key, current)
    try {
      return await current
    } finally {
      if (lastByKey.get(key) === current) lastByKey.delete(key)
    }
  }
}
