/** An artist of the streaming platform. */
export type StreamingArtist = { name: string; imageUrl: string | null }

export type StreamingPort = {
  /** A read, safe to repeat. Throws `ProviderFault` (`not_found`, `rate_limited`, `timeout` or `unavailable`). */
  getArtist(artistId: string, options: { signal: AbortSignal }): Promise<StreamingArtist>
}
