const setting = process.env['PROOF_SCALE']

/** Whether `PROOF_SCALE` restores the repetitions that show the same fault again. */
export const isFullScale = setting !== undefined

/**
 * Returns a number of repetitions: `usual` in `npm run proof`, `full` with `PROOF_SCALE=full`, and a multiple of `full`
 * with a number.
 */
export const scaled = (usual: number, full: number): number => {
  if (!isFullScale) return usual
  const factor = setting === 'full' ? 1 : Number(setting)
  if (!(factor > 0)) throw new Error('PROOF_SCALE must be "full" or a positive number.')
  return Math.ceil(full * factor)
}
