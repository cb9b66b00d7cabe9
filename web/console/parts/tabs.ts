/** Channel to the other tabs of this browser that show the console. */
type TabChannel<T> = { post: (message: T) => void; close: () => void }

/** Joins a channel between tabs. `onMessage` receives messages from other tabs; `post` sends a message to them. */
export function joinTabChannel<T>(channelName: string, onMessage: (message: T) => void): TabChannel<T> {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<T>) => onMessage(data))
  // `postMessage` of a channel has no target origin, because a channel reaches only its own origin.
  const post = channel.postMessage.bind(channel)
  return { post, close: () => channel.close() }
}
