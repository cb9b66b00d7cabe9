/** A description of a connector that cannot be used: one sentence with the file and the rule, for its operator. */
export class DescriptionError extends Error {
  override readonly name = 'DescriptionError'
}
