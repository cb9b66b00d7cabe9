import { setTimeout as pause } from 'node:timers/promises'
import type { ProviderEvent } from '../../../../domain/payments/provider.ts'
import type { EmbeddedProvider } from '../provider.ts'
import { signatureHeader, signBody } from './signature.ts'
import { renewSubscriptions } from '../subscriptions.ts'

const batchSize = 10
const leaseMs = 60_000
const timeoutMs = 30_000
const maxPauseMs = 60 * 60 * 1000
const maxAttempts = 80
const pollIntervalMs = 1000
const renewalIntervalMs = 30_000
const closeTimeoutMs = 3000

/** Target of events, and the signal that stops their delivery. */
export type Webhook = { target: string; signal: AbortSignal }

/** Delivers due events. If this process is killed, the next round of any process delivers the remaining events. */
export async function deliverDue(provider: EmbeddedProvider, webhook: Webhook): Promise<void> {
  while (!webhook.signal.aborted) {
    const now = provider.now()
    const claimed = await provider.store.claimEvents(now, new Date(now.getTime() + leaseMs), batchSize)
    await Promise.all(claimed.map((event) => deliver(provider, webhook, event)))
    if (claimed.length < batchSize) return
  }
}

export type ProviderLog = { warn(details: object, message: string): void }

/** Delivers events and renews subscriptions until `close` is called. Passes a function to `onWake` that starts a round. */
export function startDeliveries(
  provider: EmbeddedProvider,
  { target, log, onWake }: { target: string; log: ProviderLog; onWake: (wake: () => void) => void },
): { close(): Promise<void> } {
  const closeController = new AbortController()
  const webhook = { target, signal: closeController.signal }
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWakePending = false
  let renewedAt = 0
  let isFailing = false

  const runRound = async (): Promise<void> => {
    try {
      if (performance.now() - renewedAt > renewalIntervalMs || renewedAt === 0) {
        await renewSubscriptions(provider)
        renewedAt = performance.now()
      }
      await deliverDue(provider, webhook)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the embedded payment provider could not deliver events; it retries')
      isFailing = true
    }
  }
  const run = (): void => {
    clearTimeout(timer)
    isWakePending = false
    running = runRound().finally(() => {
      running = undefined
      if (closeController.signal.aborted) return
      if (isWakePending) run()
      else timer = setTimeout(run, pollIntervalMs)
    })
  }
  onWake(() => {
    isWakePending = true
    if (!closeController.signal.aborted && running === undefined) run()
  })
  run()
  return {
    close: async () => {
      closeController.abort()
      clearTimeout(timer)
      if (running === undefined) return
      // An unavailable database must not block the shutdown. Events without a stored result are delivered again.
      const closeTimer = new AbortController()
      const timeout = pause(closeTimeoutMs, undefined, { signal: closeTimer.signal }).catch(() => undefined)
      await Promise.race([running, timeout])
      closeTimer.abort()
    },
  }
}

async function deliver(provider: EmbeddedProvider, webhook: Webhook, event: ProviderEvent): Promise<void> {
  const result = await post(provider, webhook, event)
  const now = provider.now()
  const isDelivered = /^2\d\d$/.test(result)
  const isLast = event.attempts >= maxAttempts
  await provider.store.settleEvent(event.id, {
    answer: result,
    deliveredAt: isDelivered ? now : null,
    nextAttemptAt: isDelivered || isLast ? null : new Date(now.getTime() + computePause(event.attempts)),
  })
}

async function post(
  { secret, now }: EmbeddedProvider,
  { target, signal }: Webhook,
  { payload }: ProviderEvent,
): Promise<string> {
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [signatureHeader]: signBody(secret, payload, now()) },
      body: payload,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch {
    return 'no response'
  }
}

/** Returns the pause between two attempts: 1 s, 2 s, 4 s, up to an hour; about three days in total. */
function computePause(attempts: number): number {
  return Math.min(maxPauseMs, 1000 * 2 ** Math.min(attempts - 1, 12))
}
