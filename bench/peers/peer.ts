import type { Print } from '../../dev/say.ts'
import type { Post } from '../processes/reader.ts'
import type { Reason, RowName } from './rows/rows.ts'

/** How the client comes back to a stream. */
export type Get = { url: string; headers: Record<string, string> }

/** State that a client has of a stream it lost. */
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
  /** Its packages; the report lists their versions. */
  packages: string[]
  /** A program of its own that comes from elsewhere. */
  engine?: 'redis' | 'temporal'
  /** Components, and the settings that differ from the defaults. */
  setup: string
  /** Data that is lost after a kill, after a crash of the machine, or over time. */
  notPersisted: string
  /** Ways in which a figure of this peer differs in meaning from those of the others. */
  marks?: Partial<Record<RowName, string>>
  /** Reasons why it is ahead of ours, where it is. */
  ahead?: Partial<Record<Reason, string>>
  /** Setup that runs once, before all rounds. */
  prepare?(say: Print): Promise<void>
  start(place: Place): Promise<RunningPeer>
}
