const timeOf = (run: () => unknown): number => {
  const begun = performance.now()
  run()
  return performance.now() - begun
}

/** The shortest of several runs: what a busy machine adds is left out. */
const leastTime = (run: () => unknown): number => Math.min(...Array.from({ length: 5 }, () => timeOf(run)))

const noiseMs = 2

/** How many times longer it takes for four times the input: about 4 when it is linear, 16 for the square. */
export const growthOf = (size: number, run: (size: number) => () => unknown): number =>
  (leastTime(run(4 * size)) + noiseMs) / (leastTime(run(size)) + noiseMs)
