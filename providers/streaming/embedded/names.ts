import { pick } from './draws.ts'

const qualities = [
  'Amber',
  'Distant',
  'Electric',
  'Golden',
  'Hidden',
  'Lunar',
  'Marble',
  'Nova',
  'Paper',
  'Quiet',
  'Silver',
  'Velvet',
] as const
const acts = ['Avenue', 'Choir', 'Club', 'Foxes', 'Harbour', 'Heights', 'Parade', 'Quartet', 'Radio', 'Tigers'] as const
const things = [
  'Anthem',
  'Bridges',
  'City',
  'Daylight',
  'Echoes',
  'Fireworks',
  'Gravity',
  'Letters',
  'Mirrors',
  'Rivers',
  'Signals',
  'Tides',
] as const
const places = ['at Dawn', 'by the Sea', 'in Color', 'in Motion', 'of Mine', 'on Mars', 'without You'] as const

export function artistName(artistId: string): string {
  return `${pick(`quality ${artistId}`, qualities)} ${pick(`act ${artistId}`, acts)}`
}

/** Returns an artist id for each name that a search by name can find. */
export function listNamedArtists(): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (let number = 1; number <= namedArtistCount; number++) {
    const id = `artist${number}`
    const name = artistName(id)
    if (!ids.has(name)) ids.set(name, id)
  }
  return ids
}

/** Number of generated ids, which cover nearly every name. */
const namedArtistCount = 600

export function albumName(albumId: string): string {
  return `${pick(`quality ${albumId}`, qualities)} ${pick(`thing ${albumId}`, things)}`
}

export function songName(recording: string): string {
  return `${pick(`thing ${recording}`, things)} ${pick(`place ${recording}`, places)}`
}
