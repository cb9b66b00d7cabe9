import type { Print } from '../../dev/say.ts'
import type { Post } from '../processes/reader.ts'
import type { Reason, RowName } from './rows/rows.ts'

/** How the client comes back to a stream. */
export type Get = { url: string; headers: Record<string, string> }

/** What a client has of a stream that it lost. */
export type Heard = {
  headers: Record<string, string>
  /** The last `id:` of an event; empty when there was none. */
  lastEventId: string
  events: number
  characters: number
}

/** One turn of a chat that does nothing else. */
export type Turn = { post: Post; resume: (heard: Heard) => Get }

export type RunningPeer = {
  prepareTurn(message: string): Promise<Turn>
  /** kill -9 of the process that runs the turns. */
  kill(): Promise<void>
  /** Starts that process again. */
  restart(): Promise<void>
  /** The processes, each with all that it started: the peer's own, its engine, its database. */
  pids(): number[]
  stop(): Promise<void>
}

type Place = {
  /** For data and logs; goes with the round. */
  folder: string
  modelUrl: string
  say: Print
}

export type Peer = {
  name: string
  /** Its packages, of which the report tells the versions. */
  packages: string[]
  /** A program of its own that comes from elsewhere. */
  engine?: 'redis' | 'temporal'
  /** What it is built of, and the settings that are not its defaults. */
  setup: string
  /** What is gone after a kill, a crash of the machine or in time. */
  notPersisted: string
  /** What a figure does not mean here though it does for the others. */
  marks?: Partial<Record<RowName, string>>
  /** Why it is ahead of ours where it is. */
  ahead?: Partial<Record<Reason, string>>
  /** What it needs once, before all rounds. */
  prepare?(say: Print): Promise<void>
  start(place: Place): Promise<RunningPeer>
}
