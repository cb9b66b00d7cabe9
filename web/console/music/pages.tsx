import { useQueryClient } from '@tanstack/react-query'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Form, TextArea, TextField } from '../parts/form.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { duration, Status, Time } from '../parts/words.tsx'
import { Player } from '../media/player.tsx'

const refetchMs = 2500

export function MusicPage() {
  const list = useOffsetList({
    key: ['music'],
    fetchPage: async (offset) => {
      const { generations } = await read(
        api.GET('/api/music', { params: { query: { limit: pageSize, offset, ...forAccount() } } }),
      )
      return { rows: generations }
    },
    refetchMs,
  })
  return (
    <Page title="Music" lead="Create tracks from a description and lyrics. A failed track is not charged.">
      <details className="fold">
        <summary>Create a track</summary>
        <NewTrack />
      </details>
      <Rows list={list} empty={<p>No tracks yet. Create one from a description and lyrics above.</p>}>
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
                {track.status !== 'pending' && track.status !== 'processing' && <DeleteTrack id={track.id} />}
              </li>
            ))}
          </ul>
        )}
      </Rows>
    </Page>
  )
}

function DeleteTrack({ id: generationId }: { id: string }) {
  const queries = useQueryClient()
  const remove = async (): Promise<void> => {
    await read(api.DELETE('/api/music/{generationId}', { params: { path: { generationId } } }))
    await queries.invalidateQueries({ queryKey: ['music'] })
  }
  return (
    <Action onAct={remove} confirm="Delete the track and its file?">
      Delete
    </Action>
  )
}

function NewTrack() {
  const queries = useQueryClient()
  return (
    <Form
      submit="Create track"
      resets
      onSubmit={async (fields) => {
        const seconds = fields.number('duration')
        const body = {
          ...forAccount(),
          prompt: fields.text('prompt'),
          lyrics: fields.text('lyrics'),
          ...(seconds !== undefined && { duration: seconds }),
        }
        await read(api.POST('/api/music', { body }))
        await queries.invalidateQueries({ queryKey: ['music'] })
      }}
    >
      <TextField name="prompt" label="Description" required placeholder="Slow soul with a warm bass, 80 BPM" />
      <TextArea name="lyrics" label="Lyrics" required placeholder="[verse] The harbor lights are low tonight" />
      <TextField name="duration" label="Duration (seconds)" type="number" min={10} max={300} defaultValue={30} />
    </Form>
  )
}
