/** The other tabs of this browser that show the console. */
type Tabs<T> = { tell: (message: T) => void; close: () => void }

/** Hears what other tabs say on a channel, and tells them. */
export function joinTabs<T>(channelName: string, hear: (message: T) => void): Tabs<T> {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<T>) => hear(data))
  // A channel has no target origin: it is of one origin.
  const tell = channel.postMessage.bind(channel)
  return { tell, close: () => channel.close() }
}
