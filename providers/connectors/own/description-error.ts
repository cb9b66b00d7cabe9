/** Thrown for an invalid connector description. The message names the file and the rule that it violates. */
export class DescriptionError extends Error {
  override readonly name = 'DescriptionError'
}
