/** Polyfill of a function of Node 22 that the SDK requires. */
Object.assign(Promise, {
  withResolvers: <T>() => {
    const functions: Partial<Record<'resolve' | 'reject', unknown>> = {}
    const promise = new Promise<T>((resolve, reject) => Object.assign(functions, { resolve, reject }))
    return { promise, ...functions }
  },
})
