/** The other tabs of this browser that show the console. */
type Tabs<T> = { post: (message: T) => void; close: () => void }

/** Hears what other tabs say on a channel, and tells them. */
export function joinTabs<T>(channelName: string, onMessage: (message: T) => void): Tabs<T> {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<T>) => onMessage(data))
  // A channel has no target origin: it is of one origin.
  const post = channel.postMessage.bind(channel)
  return { post, close: () => channel.close() }
}
