/** Sample rate of all sounds, in hertz. */
export const sampleRate = 44_100

/** A stereo signal. Both channels have the same length. Samples are roughly between -1 and 1. */
export type Stereo = { left: Float32Array; right: Float32Array }

/** Creates a signal. `sample` receives the time of each sample in seconds. */
export function createSamples(seconds: number, sample: (t: number) => number): Float32Array {
  const samples = new Float32Array(Math.max(1, Math.round(seconds * sampleRate)))
  for (let index = 0; index < samples.length; index++) samples[index] = sample(index / sampleRate)
  return samples
}
