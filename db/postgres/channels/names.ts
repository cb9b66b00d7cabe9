import { hashText } from '../../../domain/fields/hash.ts'

/** Notifies workers of a recorded stop. Payload: one run id. */
export const stopsChannel = 'run_stops'
/** Notifies API processes that an account may have lost access. Sent by triggers. Payload: one account id. */
export const accessRevokedChannel = 'access_revoked'
/** Notifies workers that a headless run waits for a slot. */
export const waitingRunsChannel = 'waiting_runs'
/** Notifies workers that a turn's activity started after the turn had ended. Payload: one run id. */
export const arrivedTurnsChannel = 'arrived_turns'
/** Notifies API processes that a process of the fleet has started, stopped or died. */
export const fleetChannel = 'fleet_changed'

/**
 * Number of channels that share the runs. An API process listens on the channels of its open streams. With more channels,
 * it receives fewer notifications about other runs, but a group commit of many runs sends more notifications, one per
 * channel.
 */
const frameChannels = 256

/** Returns the channel that wakes the readers of a run's log. Payload: run ids, comma-separated. */
export function framesChannel(runId: string): string {
  return `run_frames_${hashText(runId) % frameChannels}`
}

/** Returns the channel of one worker. Payload: a `HeadStartWord`, a run id and a detail, separated by spaces. */
export function workerChannel(processId: number): string {
  return `worker_${processId}`
}
