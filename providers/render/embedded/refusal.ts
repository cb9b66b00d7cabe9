/** Thrown if a job cannot be rendered. The message is shown to the owner. */
export class RenderRefusedError extends Error {
  override readonly name = 'RenderRefusedError'
}
