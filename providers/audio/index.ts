import type { Levels } from '../../domain/content/clip.ts'

/** Listens to songs on this machine. */
export type AudioPort = {
  /**
   * How loud a song in a file is, over its length. Undefined where nothing here can tell; throws `ProviderFault` `invalid`
   * for a file that is no song.
   */
  measureLevels(path: string): Promise<Levels | undefined>
}
