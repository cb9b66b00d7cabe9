import { quotaFullText } from '../media.ts'

export const musicStatuses = ['pending', 'processing', 'completed', 'failed'] as const
export type MusicStatus = (typeof musicStatuses)[number]

/** Why a generation failed: the only texts that a caller sees. */
export const musicFaults = {
  rendering: 'The track could not be rendered.',
  time: 'Rendering took too long.',
  storing: 'The track could not be stored.',
  quota: quotaFullText,
} as const
export type MusicFault = keyof typeof musicFaults

/** Type of the failure of a track for which its account has no room. */
export const quotaFault = 'QuotaFull'

/** How far a render is, as its background run shows it. */
export type MusicProgress = { stage: 'accepted' | 'queued' | 'rendering' | 'storing'; message: string | null }

/** Lines of the provider's log that a caller sees: the last ones. */
export const maxShownLogs = 200
