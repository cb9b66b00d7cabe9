/**
 * Signal of a scraper webhook to the workflow that waits for a run. The argument identifies the run: the number of a
 * chunk, or the id of a profile's run.
 */
export const providerRunChanged = 'providerRunChanged'

/** Signal that a slot of the scraper may be free. */
export const slotFreed = 'slotFreed'
