import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useGet } from '../access/queries.ts'
import { useArtists } from '../tasks/artist-choice.tsx'
import { parseStreamingId, readStreamingId } from './streaming-id.ts'

export type ArtistSuggestion = { id: string; name: string; detail: string }

const debounceMs = 250
const minLetters = 2
const maxRosterMatches = 5
const staleMs = 300_000
const followers = new Intl.NumberFormat('en', { notation: 'compact' })

/** Searches by name for artists on the streaming platform. Artists of the roster with a streaming profile are listed first. */
export function useArtistSearch(text: string) {
  const [searchText] = useDebouncedValue(text.trim(), debounceMs)
  const isName = searchText.length >= minLetters && parseStreamingId(searchText) === undefined
  const { data: roster = [] } = useArtists(isName)
  const input = { query: { search: searchText } }
  const platformQuery = useGet('artist-search', '/api/research/artists', input, {
    enabled: isName,
    staleTime: staleMs,
    placeholderData: keepPreviousData,
  })
  const rosterMatches = roster
    .flatMap((artist): ArtistSuggestion[] => {
      const [id, name] = [readStreamingId(artist), artist.name ?? '']
      const isMatch = id !== undefined && name.toLowerCase().includes(searchText.toLowerCase())
      return isMatch ? [{ id, name, detail: 'on your roster' }] : []
    })
    .slice(0, maxRosterMatches)
  const rosterIds = new Set(rosterMatches.map(({ id }) => id))
  const platformMatches = (platformQuery.data?.artists ?? []).flatMap(
    ({ streaming_artist_id: id, name, follower_count: count }): ArtistSuggestion[] =>
      rosterIds.has(id) ? [] : [{ id, name, detail: count === null ? '' : `${followers.format(count)} followers` }],
  )
  return {
    suggestions: isName ? [...rosterMatches, ...platformMatches] : [],
    isSearching: isName && (platformQuery.isFetching || searchText !== text.trim()),
    error: isName ? platformQuery.error : null,
    isName,
  }
}
