/** Connection to the other tabs of this browser that show the console. */
type Tabs<T> = { post: (message: T) => void; close: () => void }

/** Joins a channel between tabs: `onMessage` gets the messages of other tabs, and `post` sends them one. */
export function joinTabs<T>(channelName: string, onMessage: (message: T) => void): Tabs<T> {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<T>) => onMessage(data))
  // `postMessage` of a channel takes no target origin, because a channel reaches only its own origin.
  const post = channel.postMessage.bind(channel)
  return { post, close: () => channel.close() }
}
