import { ProviderError } from './errors/provider-error.ts'

/** Port of a provider whose `setting` is `none`. Every operation throws, except those in `operations`. */
export function createDisabledPort<Port extends object>(setting: string, operations: Partial<Port> = {}): Port {
  const reject = (): never => {
    throw new ProviderError('invalid', `${setting} is none: this deployment has no such provider. Choose a provider.`)
  }
  // With a member `then`, the port would be treated as a promise.
  return new Proxy<Port>(operations as Port, {
    get: (port, name): unknown => (name in port || name === 'then' ? Reflect.get(port, name) : reject),
  })
}
