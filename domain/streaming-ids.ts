import { z } from 'zod'

/** Id of an artist, an album or a track of the streaming platform. */
export const streamingId = z.string().regex(/^[A-Za-z0-9]{1,64}$/, 'must have 1 to 64 letters and digits')
