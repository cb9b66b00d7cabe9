import type { Levels } from '../../domain/content/clip.ts'

/** Analyzes songs on this machine. */
export type AudioPort = {
  /**
   * Measures the loudness of a song over time. Returns undefined if this machine has no decoder. Throws a `ProviderError`
   * of the kind `invalid` for a file that is not audio.
   */
  measureLevels(path: string): Promise<Levels | undefined>
}
