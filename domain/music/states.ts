import { quotaFullText } from '../media.ts'

export const musicStatuses = ['pending', 'processing', 'completed', 'failed'] as const
export type MusicStatus = (typeof musicStatuses)[number]

/** Fixed reasons why a generation failed. */
export const musicFailureTexts = {
  rendering: 'The track could not be rendered.',
  time: 'Rendering took too long.',
  storing: 'The track could not be stored.',
  quota: quotaFullText,
} as const
export type MusicFailure = keyof typeof musicFailureTexts

/** Type of the failure of a track that exceeds the storage quota of its account. */
export const quotaFullType = 'QuotaFull'

/** Progress of a render, in its background run. */
export type MusicProgress = { stage: 'accepted' | 'queued' | 'rendering' | 'storing'; message: string | null }

/** Maximum lines of the provider's log in a response; the last lines are kept. */
export const maxListedLogs = 200
