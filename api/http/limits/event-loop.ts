const sampleIntervalMs = 250
const maxSamples = 20

/** Measures the event loop delay of this process as the mean delay of a timer over the last five seconds. */
export function watchEventLoop(): { meanMs(): number } {
  const delays: number[] = []
  let mean = 0
  let due = performance.now() + sampleIntervalMs
  setInterval(() => {
    const now = performance.now()
    delays.push(Math.max(0, now - due))
    if (delays.length > maxSamples) delays.shift()
    mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length
    due = now + sampleIntervalMs
  }, sampleIntervalMs).unref()
  return { meanMs: () => mean }
}
