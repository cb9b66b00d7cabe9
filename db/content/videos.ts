import type { ContentVideo } from '../../domain/content/videos.ts'
import { disownMedia } from '../media.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { instantAt, toMicros } from '../postgres/micros.ts'
import { selectJobStatus } from '../runs/list.ts'

type Position = { micros: number; runId: string }
type Page = { accountId: string; artistId?: string | undefined; limit: number; after?: Position | undefined }

/** Returns the account's videos, newest first. */
export function listContentVideos(db: Db, { accountId, artistId, limit, after }: Page): Promise<ContentVideo[]> {
  return db<ContentVideo[]>`
    ${selectVideos(db)}
    where content.account_id = ${accountId}
      ${artistId === undefined ? db`` : db`and content.artist_account_id = ${artistId}`}
      ${
        after === undefined
          ? db``
          : db`and (content.created_at, content.run_id)
              < (${instantAt(db, after.micros)}, ${after.runId})`
      }
    order by content.created_at desc, content.run_id desc limit ${limit}`
}

export async function findContentVideo(db: Db, runId: string): Promise<ContentVideo | undefined> {
  const [video] = await db<ContentVideo[]>`${selectVideos(db)} where content.run_id = ${runId}`
  return video
}

/** Deletes a video that has ended and returns the keys of its files. Undefined for a video in progress. */
export async function deleteContentVideo(tx: Tx, runId: string): Promise<string[] | undefined> {
  const [deleted] = await tx<{ videoKey: string | null; imageKey: string | null }[]>`
    delete from content_runs where run_id = ${runId} and state in ('completed', 'failed')
    returning video_key, image_key`
  if (deleted === undefined) return undefined
  const keys = [deleted.videoKey, deleted.imageKey].filter((key) => key !== null)
  await disownMedia(tx, keys)
  return keys
}

/** Selects videos with a left join, because background runs expire before videos. */
function selectVideos(db: Db) {
  return db`
    select content.run_id, content.account_id, content.artist_account_id as artist_id, content.artist_name,
      content.wish as options,
      coalesce(${selectJobStatus(db, db`run.status`)}, content.state) as status, run.metadata as progress,
      case when content.state <> 'failed' then content.image_key end as image_key, content.song, content.clip,
      content.caption, content.video_key, content.error,
      coalesce(run.cancellable and run.finished_at is null, false) as cancellable, content.created_at,
      ${toMicros(db, db`content.created_at`)} as created_micros, run.finished_at as ended_at
    from content_runs content left join background_runs run on run.id = content.run_id`
}
