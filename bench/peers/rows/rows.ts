/** Rows measured for each peer, in the order of the report. A cell is a figure or a description. */
export type RowName =
  | 'firstToken'
  | `delay${'1' | '20' | '100'}${'p50' | 'p99'}`
  | 'capacity'
  | `cost${'20' | '100'}`
  | 'recovery'
  | 'afterKill'
  | 'resume'
  | 'afterResume'
  | `${'turns' | 'steps'}${'1' | '8' | '32' | '100'}`
  | 'turnCost'
  | 'stepCost'
  | 'step'
  | 'slope'
  | 'memory'

/** Reason that several rows share. */
export type Reason =
  | 'firstToken'
  | 'delay'
  | 'capacity'
  | 'cost'
  | 'recovery'
  | 'resume'
  | 'step'
  | 'slope'
  | 'memory'
  | 'loop'

export type RowOf = {
  name: RowName
  title: string
  /** Shared heading of rows that are measured alike. */
  group?: string
  unit: string
  /** Absent for rows of words. */
  better?: 'less' | 'more'
  how: string
  /** Key under which a peer states why it is ahead; absent for rows of words. */
  reason?: Reason
}

const age =
  'age of a token at the client, 50 tokens/s a stream for 3 s, less its age when the same client reads the fake model itself in the same round. A peer that falls behind is read 15 s longer and then left: its figure grows with the time'

export const rows: RowOf[] = [
  {
    name: 'firstToken',
    reason: 'firstToken',
    title: 'request to the first token',
    unit: 'ms',
    better: 'less',
    how: 'median of turns one after the other, each in a chat of its own; the fake model responds immediately',
  },
  ...([1, 20, 100] as const).flatMap((streams) =>
    (['p50', 'p99'] as const).map((figure): RowOf => ({
      name: `delay${streams}${figure}`,
      group: 'delay added to a token',
      title: `delay added to a token, ${streams} ${streams === 1 ? 'stream' : 'streams'}, ${figure}`,
      unit: 'ms',
      better: 'less',
      how: age,
      reason: 'delay',
    })),
  ),
  {
    name: 'capacity',
    reason: 'capacity',
    title: 'most tokens/s with p99 within 250 ms',
    unit: 'tokens/s',
    better: 'more',
    how: 'streams of 50 tokens/s, by halving between the numbers that held and did not; all tokens must come. Model, client and databases share the cores',
  },
  ...([20, 100] as const).map((streams): RowOf => ({
    name: `cost${streams}`,
    group: 'CPU time of a token',
    title: `CPU time of a token, ${streams} streams`,
    unit: 'us',
    better: 'less',
    how: 'of all processes of the peer by /proc, from the requests to the end of the streams, without the fake model and the client; not for a peer whose tokens did not all come in that time',
    reason: 'cost',
  })),
  {
    name: 'recovery',
    reason: 'recovery',
    title: 'kill -9 in the middle to the next token',
    unit: 'ms',
    better: 'less',
    how: 'of the process that runs the turn, after 50 of 150 tokens; it is started again as soon as it is gone, and a client whose stream was cut asks for it every 50 ms; up to the first token that the model sent after the kill',
  },
  {
    name: 'afterKill',
    title: 'what the client has in the end',
    unit: '',
    how: 'of the same turn: tokens that are missing or stand there twice; what the server took back and the client dropped does not count',
  },
  {
    name: 'resume',
    reason: 'resume',
    title: 'coming back to a stream',
    unit: 'ms',
    better: 'less',
    how: 'the client leaves after 30 of 100 tokens, comes back half a second later with the cursor that the peer takes; to the first token that it had not seen',
  },
  {
    name: 'afterResume',
    title: 'what the client has then',
    unit: '',
    how: 'of the same turn: tokens that are missing, or were sent a second time',
  },
  {
    name: 'step',
    reason: 'step',
    title: 'a durable step',
    unit: 'ms',
    better: 'less',
    how: 'median time between the model calls in a turn of 51 calls, each answered immediately with a call of a tool that needs nothing',
  },
  {
    name: 'slope',
    reason: 'slope',
    title: 'the same over 50 steps',
    unit: 'x',
    better: 'less',
    how: 'a straight line through the steps of the turn: its end over its beginning',
  },
  ...(['turns', 'steps'] as const).flatMap((kind) =>
    ([1, 8, 32, 100] as const).map((clients): RowOf => ({
      name: `${kind}${clients}`,
      group: `${kind} a second`,
      title: `${kind} a second, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
      unit: `${kind}/s`,
      better: 'more',
      how:
        kind === 'turns'
          ? 'clients in a closed loop, each turn a request of its own; the fake model responds immediately with one token'
          : 'the same with turns of eleven model calls, of which each but the last returns a call of a tool that needs nothing',
      reason: 'loop',
    })),
  ),
  {
    name: 'turnCost',
    reason: 'loop',
    title: 'CPU time of a turn, 32 clients',
    unit: 'ms',
    better: 'less',
    how: 'of all processes of the peer by /proc over the closed loop of turns, by the turns that ended',
  },
  {
    name: 'stepCost',
    reason: 'loop',
    title: 'CPU time of a step, 32 clients',
    unit: 'ms',
    better: 'less',
    how: 'the same over the closed loop of turns of eleven steps, by the steps; each has its share of what the turn costs',
  },
  {
    name: 'memory',
    reason: 'memory',
    title: 'memory at rest',
    unit: 'MB',
    better: 'less',
    how: 'of all processes of the peer after a few turns; what several of them share counts once',
  },
]

/** The same mark under each row about closed loops. */
export function markLoops(mark: string): Partial<Record<RowName, string>> {
  return Object.fromEntries(rows.filter(({ reason }) => reason === 'loop').map(({ name }) => [name, mark]))
}

/** Figures of one peer in one round. */
export type Cells = Partial<Record<RowName, number | string>>
