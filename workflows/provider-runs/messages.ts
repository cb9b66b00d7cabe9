/** Signals that a render may have ended or has new log lines. The workflow then polls its status immediately. */
export const renderChanged = 'renderChanged'

/**
 * Signals the workflow that waits for a provider run that a scraper webhook has arrived. The argument identifies the run: the
 * number of a chunk, or the id of a profile run.
 */
export const providerRunChanged = 'providerRunChanged'

/** Signals that a scraper slot may be free. */
export const slotFreed = 'slotFreed'
