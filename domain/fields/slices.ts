/** Work that is done in slices of a few milliseconds, between which other work may run. */
export type Slices<Result> = Generator<undefined, Result, undefined>

/** Applies `map` to the items, one slice each. */
export function* mapInSlices<Item, Output>(items: readonly Item[], map: (item: Item) => Output): Slices<Output[]> {
  const outputs: Output[] = []
  for (const item of items) {
    outputs.push(map(item))
    yield
  }
  return outputs
}

/** Does all slices at once. */
export function finishSlices<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const { done, value } = slices.next()
    if (done === true) return value
  }
}
