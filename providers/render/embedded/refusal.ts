/** Why a job cannot be rendered, in words that its owner may read. */
export class RenderRefusal extends Error {
  override readonly name = 'RenderRefusal'
}
