import type { ActivityDeps } from '../../activities/index.ts'
import { callbackSecret, contentSettings, type Config } from '../../config.ts'
import type { Engine } from '../../engine/client.ts'
import { createAudio } from '../../providers/audio/ffmpeg.ts'
import { findFfmpeg } from '../../providers/render/ffmpeg.ts'
import type { Confinement } from '../../providers/sandbox/confined/index.ts'
import { contentRunEnded, deliverPosts } from '../../workflows/content/messages.ts'
import { jobWorkflow } from '../../workflows/messages.ts'

/** Creates the dependencies of videos and of the team chat agent. */
export function createContentDeps(config: Config, engine: Engine, confinement: Confinement): ActivityDeps['content'] {
  const settings = contentSettings(config)
  return {
    ...settings,
    audio: createAudio({ findFfmpeg: () => findFfmpeg(config.FFMPEG_PATH), confinement }),
    creditsPerVideo: config.prices.content_video,
    accounts: config.TEAMCHAT_ACCOUNTS ?? {},
    adminOrganizationId: config.ADMIN_ORGANIZATION_ID,
    callbackSecret: callbackSecret(config),
    engine: {
      startJob: ({ id, jobKind }) => engine.start(jobWorkflow(jobKind), { runId: id }),
      deliverPosts: (threadId) => engine.start(deliverPosts, { threadId }),
      wakePoll: async (pollRunId) => void (await engine.signal(pollRunId, contentRunEnded, undefined)),
    },
  }
}
