/** Work divided into slices of a few milliseconds, between which the caller may yield. */
export type Slices<Result> = Generator<undefined, Result, undefined>

/** Applies `map` to each item in a slice of its own. */
export function* mapInSlices<Item, Output>(items: readonly Item[], map: (item: Item) => Output): Slices<Output[]> {
  const outputs: Output[] = []
  for (const item of items) {
    outputs.push(map(item))
    yield
  }
  return outputs
}

/** Runs all slices without yielding. */
export function finishSlices<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const { done, value } = slices.next()
    if (done === true) return value
  }
}
