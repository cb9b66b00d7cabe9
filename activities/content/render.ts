import { contentJobKind } from '../../db/content/job.ts'
import { readContentRun, recordFailure } from '../../db/content/runs.ts'
import { isMp4, maxClipBytes, sniffedBytes } from '../../domain/content/media.ts'
import { contentKey } from '../../domain/content/runs.ts'
import { quotaFullText } from '../../domain/media.ts'
import type { VideoRender } from '../../domain/renders.ts'
import { createRenderSteps } from '../jobs/renders.ts'
import type { ContentDeps } from './deps.ts'

export function createRenderActivities(deps: ContentDeps) {
  const { db, store } = deps
  const toRequest = async (runId: string): Promise<VideoRender> => {
    const { options, caption, clip, imageKey, song } = await readContentRun(db, runId)
    if (imageKey === null || song === null || clip === null) throw new Error('the run has no image, song or clip')
    const { template, lipsync, upscale } = options
    const [imageUrl, audioUrl] = await Promise.all([store.publicUrl(imageKey), store.publicUrl(song.key)])
    return { kind: 'video', imageUrl, audioUrl, ...clip, caption: caption ?? '', template, lipsync, upscale }
  }
  const steps = createRenderSteps(deps, {
    kind: contentJobKind,
    noun: 'video',
    toRequest,
    file: {
      maxBytes: maxClipBytes,
      sniffedBytes,
      identify: (runId, head) =>
        isMp4(head) ? { key: contentKey(runId, 'video', 'mp4'), contentType: 'video/mp4' } : undefined,
      onQuotaFull: (runId) => recordFailure(db, runId, quotaFullText),
    },
  })
  return {
    submitContent: steps.submit,
    lookAtContent: steps.poll,
    abortContentRender: steps.abort,
    storeContent: async (run: { runId: string }): Promise<string> => (await steps.store(run)).key,
  }
}
