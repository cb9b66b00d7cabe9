/** Milliseconds of the processor: a busy machine makes others wait longer, and adds little to these. */
const timeOf = (run: () => unknown): number => {
  const begun = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

/** The shortest of several runs, without what was compiled or collected beside the others. */
const leastTime = (run: () => unknown): number => Math.min(...Array.from({ length: 5 }, () => timeOf(run)))

const noiseMs = 2

/** How many times longer it takes for four times the input: about 4 when it is linear, 16 for the square. */
export const growthOf = (size: number, run: (size: number) => () => unknown): number =>
  (leastTime(run(4 * size)) + noiseMs) / (leastTime(run(size)) + noiseMs)
