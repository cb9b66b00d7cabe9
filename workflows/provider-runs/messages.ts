/**
 * Signal that a webhook of the scraper sends to the workflow that waits for a run. Its argument is the run's name there: the
 * number of a chunk, or the id of a profile's run.
 */
export const providerRunChanged = 'providerRunChanged'

/** Signal that a slot of the scraper may be free. */
export const slotFreed = 'slotFreed'
