import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { artistsQuery } from '../tasks/artist-choice.tsx'
import { parseStreamingId, readStreamingId } from './streaming-id.ts'

export type ArtistSuggestion = { id: string; name: string; note: string }

const debounceMs = 250
const minLetters = 2
const maxOfRoster = 5
const staleMs = 300_000
const followers = new Intl.NumberFormat('en', { notation: 'compact' })

/** Artists that match a name: those of the roster that are linked to the platform, and those that the platform finds. */
export function useArtistSearch(text: string) {
  const [sought] = useDebouncedValue(text.trim(), debounceMs)
  const isName = sought.length >= minLetters && parseStreamingId(sought) === undefined
  const { data: roster = [] } = useQuery({ ...artistsQuery, enabled: isName })
  const found = useQuery({
    queryKey: ['artist-search', sought],
    queryFn: async () =>
      (await read(api.GET('/api/research/artists', { params: { query: { search: sought } } }))).artists,
    enabled: isName,
    staleTime: staleMs,
    placeholderData: keepPreviousData,
  })
  const own = roster
    .flatMap((artist): ArtistSuggestion[] => {
      const [id, name] = [readStreamingId(artist), artist.name ?? '']
      const isMatch = id !== undefined && name.toLowerCase().includes(sought.toLowerCase())
      return isMatch ? [{ id, name, note: 'on your roster' }] : []
    })
    .slice(0, maxOfRoster)
  const known = new Set(own.map(({ id }) => id))
  const others = (found.data ?? []).flatMap(
    ({ streaming_artist_id: id, name, follower_count: count }): ArtistSuggestion[] =>
      known.has(id) ? [] : [{ id, name, note: count === null ? '' : `${followers.format(count)} followers` }],
  )
  return {
    suggestions: isName ? [...own, ...others] : [],
    isSearching: isName && (found.isFetching || sought !== text.trim()),
    error: isName ? found.error : null,
    isName,
  }
}
