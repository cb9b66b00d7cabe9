import { setTimeout as pause } from 'node:timers/promises'
import { connectSingle } from '../client.ts'

type Subscriber = {
  onPayload: (payload: string) => void
  /** Runs after each LISTEN, also after a reconnect, because notifications may have been missed. */
  onListen?: () => void
}

/**
 * The LISTEN connection of a process, for any number of channels. Postgres wakes each listening session on each
 * notification in the database, so a process has only one.
 */
export type Listener = {
  /** Subscribes to a channel. Resolves when Postgres has executed the LISTEN; until then it is retried. */
  listen: (channel: string, subscriber: Subscriber) => Promise<void>
  unlisten: (channel: string) => void
  close: () => Promise<void>
}

type Channel = Subscriber & { onFirstListen: () => void }

const retryMs = 250

export function openListener(url: string, part: string): Listener {
  const channels = new Map<string, Channel>()
  const closing = new AbortController()
  let isRepeating = false
  let losses = 0

  const listenTo = async (names: string[]): Promise<void> => {
    const wanted = names.flatMap((name) => {
      const channel = channels.get(name)
      return channel === undefined ? [] : [{ name, channel }]
    })
    // One message, so that many channels need one round trip.
    if (wanted.length > 0) await sql.unsafe(wanted.map(({ name }) => `listen ${quote(name)}`).join(';'))
    for (const { name, channel } of wanted) {
      if (channels.get(name) !== channel) continue
      channel.onFirstListen()
      channel.onListen?.()
    }
  }

  /** Subscribes to all channels again, until the connection was not lost meanwhile. */
  const repeatAll = async (): Promise<void> => {
    if (isRepeating) return
    isRepeating = true
    for (let isDone = false; !isDone && !closing.signal.aborted;) {
      const lossesBefore = losses
      try {
        await listenTo([...channels.keys()])
        isDone = losses === lossesBefore
      } catch {
        await pause(retryMs)
      }
    }
    isRepeating = false
  }

  const sql = connectSingle({
    url,
    name: `backline listen ${part}`,
    onclose: () => {
      losses++
      if (!closing.signal.aborted) void repeatAll()
    },
    onNotify: (name, payload) => channels.get(name)?.onPayload(payload),
  })

  return {
    listen: (name, subscriber) =>
      new Promise((resolve) => {
        channels.set(name, { ...subscriber, onFirstListen: resolve })
        listenTo([name]).catch(() => (closing.signal.aborted ? undefined : repeatAll()))
      }),
    unlisten: (name) => {
      channels.delete(name)
      // A lost connection listens to nothing, and its successor not to this channel.
      sql.unsafe(`unlisten ${quote(name)}`).catch(() => {})
    },
    close: async () => {
      closing.abort()
      await sql.end({ timeout: 1 })
    },
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
