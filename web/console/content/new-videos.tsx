import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { CheckField } from '../parts/check-field.tsx'
import { Form, SelectField, TextArea, TextField, type Fields } from '../parts/form.tsx'
import { ArtistChoice } from '../tasks/artist-choice.tsx'
import type { ContentBody } from './videos.ts'

const captions = [
  ['none', 'No caption'],
  ['short', 'Short: up to 40 characters'],
  ['medium', 'Medium: up to 90 characters'],
  ['long', 'Long: up to 180 characters'],
] as const

export function NewVideos() {
  const queries = useQueryClient()
  return (
    <Form
      submit="Create videos"
      onSubmit={async (fields) => {
        await read(api.POST('/api/content/create', { body: toBody(fields) }))
        await queries.invalidateQueries({ queryKey: ['videos'] })
      }}
    >
      <ArtistChoice name="artist" />
      <TemplateSelect />
      <SelectField name="caption" label="Caption" defaultValue="short">
        {captions.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField name="batch" label="Number of videos" type="number" min={1} max={30} defaultValue={1} required />
      <TextArea
        name="images"
        label="Image URLs"
        hint="One https URL per line: PNG, JPEG or WebP. If empty, the images in the artist’s folder in your source repository are used."
        placeholder="https://example.com/cover.jpg"
        spellCheck={false}
      />
      <TextArea
        name="songs"
        label="Songs"
        hint="One per line: an https URL, such as that of a track under Music, or the name of a file in the artist’s folder. If empty, the videos rotate through all songs in that folder."
        placeholder="midnight-arcade.wav"
        spellCheck={false}
      />
      <CheckField label="Lip sync (only with a generative renderer)" name="lipsync" />
      <CheckField label="Upscale (only with a generative renderer)" name="upscale" />
    </Form>
  )
}

/** Select field for the template of a video, with the description of the selected template. */
function TemplateSelect() {
  const [selected, setSelected] = useState<string>()
  const { data } = useQuery({
    queryKey: ['content-templates'],
    queryFn: async () => (await read(api.GET('/api/content/templates'))).templates,
    staleTime: Infinity,
  })
  const template = data?.find(({ name }) => name === selected) ?? data?.[0]
  return (
    <SelectField
      name="template"
      label="Template"
      hint={template?.description}
      value={template?.name ?? ''}
      onChange={({ target }) => setSelected(target.value)}
    >
      {data === undefined && <option value="">Default</option>}
      {data?.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  )
}

function toBody(fields: Fields): ContentBody {
  const template = fields.optional('template') as ContentBody['template']
  const [images, songs] = [splitLines(fields.text('images')), splitLines(fields.text('songs'))]
  return {
    ...forAccount(),
    artist_account_id: fields.text('artist'),
    caption_length: fields.text('caption') as (typeof captions)[number][0],
    batch: fields.number('batch') ?? 1,
    lipsync: fields.isOn('lipsync'),
    upscale: fields.isOn('upscale'),
    ...(template !== undefined && { template }),
    ...(images.length > 0 && { images }),
    ...(songs.length > 0 && { songs }),
  }
}

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
