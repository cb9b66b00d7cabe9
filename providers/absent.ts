import { ProviderError } from './fault.ts'

/** A port whose `setting` is `none`: every operation throws, except those of `own`. */
export function createAbsentPort<Port extends object>(setting: string, own: Partial<Port> = {}): Port {
  const refuse = (): never => {
    throw new ProviderError('invalid', `${setting} is none: this deployment has no such provider.`)
  }
  // A port with a member `then` would count as a promise.
  return new Proxy<Port>(own as Port, {
    get: (port, name): unknown => (name in port || name === 'then' ? Reflect.get(port, name) : refuse),
  })
}
