import { useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { CheckField } from '../parts/check-field.tsx'
import { Form, SelectField, TextArea, TextField, type Fields } from '../parts/form.tsx'
import { ArtistChoice } from '../tasks/artist-choice.tsx'
import type { ContentBody } from './videos.ts'

const captions = [
  { value: 'none', label: 'No caption' },
  { value: 'short', label: 'Short: up to 40 characters' },
  { value: 'medium', label: 'Medium: up to 90 characters' },
  { value: 'long', label: 'Long: up to 180 characters' },
]

export function NewVideos() {
  return (
    <Form
      submit="Create videos"
      onSubmit={(fields) => refreshAfter(api.POST('/api/content/create', { body: toBody(fields) }), 'videos')}
    >
      <ArtistChoice name="artist" />
      <TemplateSelect />
      <SelectField name="caption" label="Caption" defaultValue="short" data={captions} />
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
  const templates = useGet('content-templates', '/api/content/templates', {}, { staleTime: Infinity }).data?.templates
  const template = templates?.find(({ name }) => name === selected) ?? templates?.[0]
  return (
    <SelectField
      name="template"
      label="Template"
      hint={template?.description}
      value={template?.name ?? ''}
      onChange={({ target }) => setSelected(target.value)}
      data={templates?.map(({ name }) => name) ?? [{ value: '', label: 'Default' }]}
    />
  )
}

function toBody(fields: Fields): ContentBody {
  const [images, songs] = [fields.list('images', '\n'), fields.list('songs', '\n')]
  return {
    ...forAccount(),
    artist_account_id: fields.text('artist'),
    caption_length: fields.text('caption') as ContentBody['caption_length'],
    template: fields.optional('template') as ContentBody['template'],
    batch: fields.number('batch') ?? 1,
    lipsync: fields.isOn('lipsync'),
    upscale: fields.isOn('upscale'),
    ...(images.length > 0 && { images }),
    ...(songs.length > 0 && { songs }),
  }
}
