/**
 * Signal that a webhook of the scraper sends to the work that waits for a run; its argument names the run there: the number
 * of a chunk, or the id of a profile's run.
 */
export const providerRunChanged = 'providerRunChanged'
