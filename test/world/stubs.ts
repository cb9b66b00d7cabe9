import type { Engine } from '../../engine/client.ts'
import type { Workflow } from '../../workflows/messages.ts'

/** Returns an engine that calls `run` when the workflow is started or joined. A join returns the output of `run`. */
export function withWorkflow<Input extends object, Output>(
  engine: Engine,
  workflow: Workflow<Input, Output>,
  run: (input: Input, timeoutMs?: number) => Promise<Output>,
): Engine {
  const isReplaced = (requested: { type: string }): boolean => requested.type === workflow.type
  return {
    ...engine,
    start: async (requested, input) => {
      if (isReplaced(requested)) await run(input as unknown as Input)
      else await engine.start(requested, input)
    },
    join: async <I extends object, O>(requested: Workflow<I, O>, input: I, timeoutMs: number): Promise<O> =>
      isReplaced(requested)
        ? ((await run(input as unknown as Input, timeoutMs)) as unknown as O)
        : engine.join(requested, input, timeoutMs),
  }
}
