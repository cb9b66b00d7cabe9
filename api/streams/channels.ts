import type { Listener } from '../../db/postgres/channels/listener.ts'
import { framesChannel } from '../../db/postgres/channels/names.ts'

/** Time without a feed after which a channel is left, so that consecutive turns do not subscribe to it again. */
const lingerMs = 60_000

/** A reader of a run's log in this process, which `wake` makes read on. */
type WokenFeed = { readonly runId: string; wake(): void }
type Channel = { feeds: Map<string, WokenFeed>; emptySince: number }

/**
 * The channels on which this process hears of new frames: only those of the runs that it serves. After each LISTEN, the feeds
 * of the channel read their logs, because frames may have been appended before.
 */
export function createFeedChannels(listener: Pick<Listener, 'listen' | 'unlisten'>, now = () => performance.now()) {
  const channels = new Map<string, Channel>()

  const open = (name: string): Channel => {
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
    add: (feed: WokenFeed): void => {
      const name = framesChannel(feed.runId)
      const channel = channels.get(name) ?? open(name)
      channel.feeds.set(feed.runId, feed)
    },
    remove: (feed: WokenFeed): void => {
      const channel = channels.get(framesChannel(feed.runId))
      if (channel?.feeds.get(feed.runId) !== feed) return
      channel.feeds.delete(feed.runId)
      channel.emptySince = now()
    },
    /** Leaves the channels that had no feed for a while. */
    leaveUnused: (): void => {
      for (const [name, { feeds, emptySince }] of channels) {
        if (feeds.size > 0 || now() - emptySince < lingerMs) continue
        channels.delete(name)
        listener.unlisten(name)
      }
    },
  }
}
