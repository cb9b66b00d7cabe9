import { ActivityFailure, ApplicationFailure, CancellationScope, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { JobInput } from '../messages.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'
import { fiveAttempts, providerActivityOptions, startWhenRoom } from '../provider-runs/provider-run.ts'
import { createRenderPolls } from '../provider-runs/render.ts'
import { musicPolling } from './polling.ts'

const { beginMusic, endMusic } = proxyActivities<Activities>(databaseActivityOptions)
const { submitMusic, lookAtMusic } = proxyActivities<Activities>(providerActivityOptions)
const { storeTrack, abortMusicRender } = proxyActivities<Activities>({ ...fiveAttempts, startToCloseTimeout: '2m' })

type Outcome = Parameters<Activities['endMusic']>[0]['outcome']

/** Renders a track at the provider, stores it and then charges it once. */
export async function renderMusic({ runId }: JobInput): Promise<void> {
  const pollRender = createRenderPolls(musicPolling.pollIntervalMs)
  const outcome = (await beginMusic({ runId })) ? await render(runId, pollRender) : { fault: 'rendering' as const }
  await CancellationScope.nonCancellable(async () => {
    await endMusic({ runId, outcome })
    if ('fault' in outcome) await abortMusicRender({ runId }).catch(() => {})
  })
}

async function render(runId: string, pollRender: ReturnType<typeof createRenderPolls>): Promise<Outcome> {
  try {
    if ((await startWhenRoom(() => submitMusic({ runId }))) === undefined) return { fault: 'rendering' }
    const state = await pollRender(() => lookAtMusic({ runId }), musicPolling.maxRepeats)
    if (state !== 'completed') return { fault: state === 'failed' ? 'rendering' : 'time' }
  } catch {
    return { fault: 'rendering' }
  }
  try {
    return { track: await storeTrack({ runId }) }
  } catch (error) {
    return { fault: isQuotaFull(error) ? 'quota' : 'storing' }
  }
}

function isQuotaFull(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  return cause instanceof ApplicationFailure && cause.type === 'QuotaFull'
}
