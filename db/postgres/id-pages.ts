/** A part of a list in the order of its ids: what comes after an id, or the beginning. */
export type IdPage = { after?: string | undefined; limit: number }
