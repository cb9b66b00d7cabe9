/** Rows that are measured for each peer, in the order of the report. A cell is a figure or a text. */
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
  | 'addedStepCost'
  | 'step'
  | 'slope'
  | 'memory'

/** Keys of the reasons why a peer is ahead. Several rows share a reason. */
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

export type RowDefinition = {
  name: RowName
  title: string
  /** Shared heading of rows that are measured alike. */
  group?: string
  unit: string
  /** Absent for rows of texts. */
  better?: 'less' | 'more'
  how: string
  /** Key under which a peer states why it is ahead. Absent for rows of texts. */
  reason?: Reason
}

const age =
  'age of a token at the client, at 50 tokens/s per stream for 3 s, minus its age when the same client reads the fake model directly in the same round. If a peer falls behind, its streams are read for 15 s more and then closed, so its figure depends on this time'

export const rows: RowDefinition[] = [
  {
    name: 'firstToken',
    reason: 'firstToken',
    title: 'request to the first token',
    unit: 'ms',
    better: 'less',
    how: 'median of turns one after the other, each in a separate chat; the fake model responds immediately',
  },
  ...([1, 20, 100] as const).flatMap((streams) =>
    (['p50', 'p99'] as const).map((figure): RowDefinition => ({
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
    title: 'maximum tokens/s with p99 within 250 ms',
    unit: 'tokens/s',
    better: 'more',
    how: 'streams of 50 tokens/s; a binary search between the numbers of streams that were held and not held; all tokens must arrive. The model, the client and the databases share the cores',
  },
  ...([20, 100] as const).map((streams): RowDefinition => ({
    name: `cost${streams}`,
    group: 'CPU time of a token',
    title: `CPU time of a token, ${streams} streams`,
    unit: 'us',
    better: 'less',
    how: 'CPU time of all processes of the peer, read from /proc, from the requests to the end of the streams, without the fake model and the client; not measured if tokens are missing at that time',
    reason: 'cost',
  })),
  {
    name: 'recovery',
    reason: 'recovery',
    title: 'kill -9 during a turn to the next token',
    unit: 'ms',
    better: 'less',
    how: 'the process that runs the turn is killed after 50 of 150 tokens and restarted as soon as it has exited; a client whose stream was cut reconnects every 50 ms; time to the first token that the model sent after the kill',
  },
  {
    name: 'afterKill',
    title: 'state of the client at the end',
    unit: '',
    how: 'in the same turn: tokens that are missing or duplicated; tokens that the server retracted and the client dropped do not count',
  },
  {
    name: 'resume',
    reason: 'resume',
    title: 'resuming a stream',
    unit: 'ms',
    better: 'less',
    how: 'the client disconnects after 30 of 100 tokens and resumes half a second later with the cursor of the peer; time to the first token that it had not received',
  },
  {
    name: 'afterResume',
    title: 'state of the client after the resume',
    unit: '',
    how: 'in the same turn: tokens that are missing or were sent again',
  },
  {
    name: 'step',
    reason: 'step',
    title: 'a durable step',
    unit: 'ms',
    better: 'less',
    how: 'median time between the model calls in a turn of 51 calls, each answered immediately with a call of a tool that does nothing',
  },
  {
    name: 'slope',
    reason: 'slope',
    title: 'the same over 50 steps',
    unit: 'x',
    better: 'less',
    how: 'ratio of the end to the beginning of a least-squares line through the steps of the turn',
  },
  ...(['turns', 'steps'] as const).flatMap((kind) =>
    ([1, 8, 32, 100] as const).map((clients): RowDefinition => ({
      name: `${kind}${clients}`,
      group: `${kind} per second`,
      title: `${kind} per second, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
      unit: `${kind}/s`,
      better: 'more',
      how:
        kind === 'turns'
          ? 'clients in a closed loop, one request per turn; the fake model responds immediately with one token'
          : 'the same with turns of eleven model calls, each except the last answered with a call of a tool that does nothing',
      reason: 'loop',
    })),
  ),
  {
    name: 'turnCost',
    reason: 'loop',
    title: 'CPU time of a turn, 32 clients',
    unit: 'ms',
    better: 'less',
    how: 'CPU time of all processes of the peer, read from /proc, during the closed loop of turns, divided by the turns that ended',
  },
  {
    name: 'stepCost',
    reason: 'loop',
    title: 'CPU time of a step, 32 clients',
    unit: 'ms',
    better: 'less',
    how: 'the same during the closed loop of turns of eleven steps, divided by the steps; each step includes its share of the cost of the turn',
  },
  {
    name: 'addedStepCost',
    reason: 'loop',
    title: 'CPU time of each additional step, 32 clients',
    unit: 'ms',
    better: 'less',
    how: 'the CPU time of a turn of 51 steps minus that of a turn of one step, in closed loops, divided by 50',
  },
  {
    name: 'memory',
    reason: 'memory',
    title: 'memory at rest',
    unit: 'MB',
    better: 'less',
    how: 'memory of all processes of the peer 70 s after a few turns; shared memory counts once',
  },
]

/** Returns the same mark for each row about closed loops. */
export function markLoops(mark: string): Partial<Record<RowName, string>> {
  return Object.fromEntries(rows.filter(({ reason }) => reason === 'loop').map(({ name }) => [name, mark]))
}

/** Figures of one peer in one round. */
export type Cells = Partial<Record<RowName, number | string>>
