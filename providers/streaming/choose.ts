import { createDisabledPort } from '../disabled-port.ts'
import { createEmbeddedStreaming } from './embedded/index.ts'
import type { StreamingPort } from './index.ts'
import type { SpotifyOptions } from './spotify/index.ts'

export type StreamingOptions =
  | { provider: 'embedded'; host: string }
  | ({ provider: 'spotify' } & SpotifyOptions)
  | { provider: 'none' }

/** Creates the streaming platform of this deployment. Loads a vendor's library only if that vendor is configured. */
export async function createStreaming(options: StreamingOptions): Promise<StreamingPort> {
  if (options.provider === 'none') return createDisabledPort('STREAMING_PROVIDER')
  return options.provider === 'spotify'
    ? (await import('./spotify/index.ts')).createSpotifyStreaming(options)
    : createEmbeddedStreaming(options)
}
