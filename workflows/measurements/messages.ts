/** Signal that a webhook of the scraper sends to the capture of a job; its argument is the number of a chunk. */
export const providerRunChanged = 'providerRunChanged'
