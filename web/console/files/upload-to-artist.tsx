import { toFolder } from '../../../domain/content/folder.ts'
import { ArtistChoice, useArtists } from '../tasks/artist-choice.tsx'
import { UploadForm } from './upload-form.tsx'

/** Form that uploads images and songs to an artist's folder, for the artist's videos. */
export function UploadToArtist() {
  const { data } = useArtists()
  return (
    <UploadForm
      accept="image/png,image/jpeg,image/webp,audio/*"
      selectFolder={(fields) => {
        const artist = data?.find(({ account_id: id }) => id === fields.text('artist'))
        if (!artist?.name) throw new Error('Choose an artist with a name.')
        return toFolder(artist.name)
      }}
    >
      <ArtistChoice name="artist" />
    </UploadForm>
  )
}
