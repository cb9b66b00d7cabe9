import { useQuery } from '@tanstack/react-query'
import { readVideo } from '../content/videos.ts'
import { Video } from '../media/video.tsx'
import { LoadedSection } from '../parts/loaded.tsx'

/** The video that a run created. */
export function RunVideo({ runId }: { runId: string }) {
  const query = useQuery({ queryKey: ['videos', runId], queryFn: () => readVideo(runId) })
  return (
    <LoadedSection title="Video" query={query}>
      {({ videoSourceUrl: url, imageUrl, artist_name: artist, captionText }) =>
        url !== null && (
          <div className="single-video">
            <Video url={url} poster={imageUrl} name={artist} />
            <p className="verbatim">{captionText}</p>
          </div>
        )
      }
    </LoadedSection>
  )
}
