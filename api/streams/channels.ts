import type { Listener } from '../../db/postgres/channels/listener.ts'
import { framesChannel } from '../../db/postgres/channels/names.ts'

/** Time for which a channel without feeds stays subscribed, so that consecutive turns do not subscribe again. */
const lingerMs = 60_000

/** The feed of a run's log in this process. `wake` makes the feed read new frames. */
type WakeableFeed = { readonly runId: string; wake(): void }
type Channel = { feeds: Map<string, WakeableFeed>; emptySince: number }

/**
 * Manages the Postgres channels that announce new frames. This process listens only to the channels of the runs that it serves.
 * After each LISTEN, the feeds of the channel read their logs, because earlier notifications were missed.
 */
export function createFeedChannels(listener: Pick<Listener, 'listen' | 'unlisten'>, now = () => performance.now()) {
  const channels = new Map<string, Channel>()

  const subscribe = (name: string): Channel => {
    const channel: Channel = { feeds: new Map(), emptySince: 0 }
    channels.set(name, channel)
    void listener.listen(name, {
      onPayload: (payload) => {
        for (const runId of payload.split(',')) channel.feeds.get(runId)?.wake()
      },
      onListen: () => {
        for (const feed of channel.feeds.values()) feed.wake()
      },
    })
    return channel
  }

  return {
    add: (feed: WakeableFeed): void => {
      const name = framesChannel(feed.runId)
      const channel = channels.get(name) ?? subscribe(name)
      channel.feeds.set(feed.runId, feed)
    },
    remove: (feed: WakeableFeed): void => {
      const channel = channels.get(framesChannel(feed.runId))
      if (channel?.feeds.get(feed.runId) !== feed) return
      channel.feeds.delete(feed.runId)
      channel.emptySince = now()
    },
    /** Unsubscribes from the channels that have had no feed for `lingerMs`. */
    leaveUnused: (): void => {
      for (const [name, { feeds, emptySince }] of channels) {
        if (feeds.size > 0 || now() - emptySince < lingerMs) continue
        channels.delete(name)
        listener.unlisten(name)
      }
    },
  }
}
