import type { Print } from '../../dev/say.ts'
import type { Post } from '../processes/reader.ts'
import type { Reason, RowName } from './rows/rows.ts'

/** Request with which the client resumes a stream. */
export type Get = { url: string; headers: Record<string, string> }

/** Position of a client in an interrupted stream. */
export type StreamPosition = {
  headers: Record<string, string>
  /** The last `id:` of an event; empty when there was none. */
  lastEventId: string
  events: number
  characters: number
}

/** One turn in a separate chat. */
export type Turn = { post: Post; resume: (position: StreamPosition) => Get }

export type RunningPeer = {
  prepareTurn(message: string): Promise<Turn>
  /** Kills the process that runs the turns with SIGKILL. */
  kill(): Promise<void>
  /** Starts the killed process again. */
  restart(): Promise<void>
  /** Returns the root processes of the peer, its engine and its database. */
  pids(): number[]
  stop(): Promise<void>
}

type StartOptions = {
  /** Folder of data and logs, which is deleted after the round. */
  folder: string
  modelUrl: string
  say: Print
}

export type Peer = {
  name: string
  /** Packages whose versions the report lists. */
  packages: string[]
  /** Engine that is not installed as a package. */
  engine?: 'redis' | 'temporal'
  /** Components, and the settings that differ from the defaults. */
  setup: string
  /** Data that is lost after a kill, after a crash of the machine, or over time. */
  notPersisted: string
  /** Notes on figures whose meaning differs from that of the other peers. */
  marks?: Partial<Record<RowName, string>>
  /** Reasons why this peer is ahead of Backline. */
  ahead?: Partial<Record<Reason, string>>
  /** Setup that runs once, before all rounds. */
  prepare?(say: Print): Promise<void>
  start(options: StartOptions): Promise<RunningPeer>
}
