/**
 * For activities that are over in milliseconds and beat only when they are not: a lost worker costs eight seconds there.
 * The longest attempt is the contract's for the end of a turn (17.3).
 */
export const brief = { startToCloseTimeout: '10s', heartbeatTimeout: '8s' } as const
