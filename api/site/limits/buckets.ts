const maxBuckets = 50_000
const refillPerSecond = 100

type Bucket = { tokens: number; updatedAt: number }
export type Buckets = { take: (address: string, nowMs: number) => { remaining: number; waitSeconds: number } }

/** Creates a token bucket per client address, in the memory of this process. `size`: maximum burst. */
export function createBuckets(size: number): Buckets {
  const buckets = new Map<string, Bucket>()
  return {
    take: (address, nowMs) => {
      const { tokens, updatedAt } = buckets.get(address) ?? { tokens: size, updatedAt: nowMs }
      const filled = Math.min(size, tokens + ((nowMs - updatedAt) / 1000) * refillPerSecond)
      const remaining = filled < 1 ? filled : filled - 1
      buckets.delete(address)
      buckets.set(address, { tokens: remaining, updatedAt: nowMs })
      const [oldest] = buckets.keys()
      if (buckets.size > maxBuckets && oldest !== undefined) buckets.delete(oldest)
      const waitSeconds = filled < 1 ? Math.ceil((1 - filled) / refillPerSecond) : 0
      return { remaining: Math.floor(remaining), waitSeconds }
    },
  }
}
