/** Polyfill of a function of Node 22 that the SDK requires. */
Object.assign(Promise, {
  withResolvers: <T>() => {
    const made: Partial<Record<'resolve' | 'reject', unknown>> = {}
    const promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }))
    return { promise, ...made }
  },
})
