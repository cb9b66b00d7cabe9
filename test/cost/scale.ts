const setting = process.env['PROOF_SCALE']

/** Whether `PROOF_SCALE` is set, so that proofs also run the repetitions and variants that rarely find another fault. */
export const isFullScale = setting !== undefined

/**
 * Returns a number of repetitions: `usual` if `PROOF_SCALE` is not set, `full` if it is `full`, or `full` times its
 * number.
 */
export const scaled = (usual: number, full: number): number => {
  if (!isFullScale) return usual
  const factor = setting === 'full' ? 1 : Number(setting)
  if (!(factor > 0)) throw new Error('PROOF_SCALE must be "full" or a positive number.')
  return Math.ceil(full * factor)
}
