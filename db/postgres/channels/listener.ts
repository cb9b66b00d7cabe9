import { setTimeout as pause } from 'node:timers/promises'
import { connectSingle } from '../client.ts'

type Subscriber = {
  onPayload: (payload: string) => void
  /** Runs after each LISTEN, also after a reconnect, because notifications may have been missed. */
  onListen?: () => void
}

/**
 * The LISTEN connection of a process, for any number of channels. A process has only one, because every notification in the
 * database wakes every listening session.
 */
export type Listener = {
  /** Subscribes to a channel. Retries until Postgres has executed the LISTEN, and then resolves. */
  listen: (channel: string, subscriber: Subscriber) => Promise<void>
  unlisten: (channel: string) => void
  close: () => Promise<void>
}

type Channel = Subscriber & { onFirstListen: () => void }

const retryMs = 250

export function openListener(url: string, part: string): Listener {
  const channels = new Map<string, Channel>()
  const closing = new AbortController()
  let isResubscribing = false
  let losses = 0

  const listenTo = async (names: string[]): Promise<void> => {
    const targets = names.flatMap((name) => {
      const channel = channels.get(name)
      return channel === undefined ? [] : [{ name, channel }]
    })
    // One statement list, so that many channels need one round trip.
    if (targets.length > 0) await sql.unsafe(targets.map(({ name }) => `listen ${quote(name)}`).join(';'))
    for (const { name, channel } of targets) {
      if (channels.get(name) !== channel) continue
      channel.onFirstListen()
      channel.onListen?.()
    }
  }

  /** Subscribes to all channels again. Repeats if the connection is lost before Postgres has executed the LISTEN. */
  const resubscribeAll = async (): Promise<void> => {
    if (isResubscribing) return
    isResubscribing = true
    for (let isDone = false; !isDone && !closing.signal.aborted;) {
      const lossesBefore = losses
      try {
        await listenTo([...channels.keys()])
        isDone = losses === lossesBefore
      } catch {
        await pause(retryMs)
      }
    }
    isResubscribing = false
  }

  const sql = connectSingle({
    url,
    name: `backline listen ${part}`,
    onclose: () => {
      losses++
      if (!closing.signal.aborted) void resubscribeAll()
    },
    onNotify: (name, payload) => channels.get(name)?.onPayload(payload),
  })

  return {
    listen: (name, subscriber) =>
      new Promise((resolve) => {
        channels.set(name, { ...subscriber, onFirstListen: resolve })
        listenTo([name]).catch(() => (closing.signal.aborted ? undefined : resubscribeAll()))
      }),
    unlisten: (name) => {
      channels.delete(name)
      // A failure can be ignored: a lost connection has no subscriptions, and a new connection does not subscribe to this
      // channel.
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
