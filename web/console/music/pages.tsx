import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Form, TextArea, TextField } from '../parts/form.tsx'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Fold, Page } from '../parts/page.tsx'
import { duration, Status, Time } from '../parts/words.tsx'
import { Player } from '../media/player.tsx'

const refetchMs = 2500

export function MusicPage() {
  const list = useOffsetList(
    ['music'],
    (range) => api.GET('/api/music', { query: { ...range, ...forAccount() } }),
    ({ generations }) => generations,
    refetchMs,
  )
  return (
    <Page title="Music" lead="Create tracks from a description and lyrics. A failed track is not charged.">
      <Fold title="Create a track">
        <NewTrack />
      </Fold>
      <Rows list={list} empty="No tracks yet. Create one from a description and lyrics above.">
        {(tracks) => (
          <ul className="cards">
            {tracks.map((track) => (
              <li key={track.id}>
                <h2>{track.prompt}</h2>
                <p className="quiet">
                  <Status of={track.status} /> <Time at={track.created_at} />
                  {track.duration_seconds !== null && ` · ${duration(track.duration_seconds * 1000)}`} · {track.model}
                </p>
                {track.error_message !== null && <p className="inline-error">{track.error_message}</p>}
                {track.audio_url !== null && <Player url={track.audio_url} name={track.prompt} />}
                {track.lyrics !== '' && (
                  <details>
                    <summary>Lyrics</summary>
                    <p className="verbatim">{track.lyrics}</p>
                  </details>
                )}
                {track.status !== 'pending' && track.status !== 'processing' && (
                  <Action name="Delete" confirm="Delete the track and its file?" onAct={() => remove(track.id)} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Rows>
    </Page>
  )
}

function remove(generationId: string): Promise<unknown> {
  return refreshAfter(api.DELETE('/api/music/{generationId}', { path: { generationId } }), 'music')
}

function NewTrack() {
  return (
    <Form
      submit="Create track"
      resets
      onSubmit={(fields) => {
        const body = {
          ...forAccount(),
          prompt: fields.text('prompt'),
          lyrics: fields.text('lyrics'),
          duration: fields.number('duration'),
        }
        return refreshAfter(api.POST('/api/music', { body }), 'music')
      }}
    >
      <TextField name="prompt" label="Description" required placeholder="Slow soul with a warm bass, 80 BPM" />
      <TextArea name="lyrics" label="Lyrics" required placeholder="[verse] The harbor lights are low tonight" />
      <TextField name="duration" label="Duration (seconds)" type="number" min={10} max={300} defaultValue={30} />
    </Form>
  )
}
