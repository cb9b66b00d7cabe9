/** Why a job cannot be rendered, in words that its owner may read. */
export class RenderRefusedError extends Error {
  override readonly name = 'RenderRefusedError'
}
