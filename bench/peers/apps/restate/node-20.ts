/** The SDK needs a function of Node 22. */
Object.assign(Promise, {
  withResolvers: <T>() => {
    const made: Partial<Record<'resolve' | 'reject', unknown>> = {}
    const promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }))
    return { promise, ...made }
  },
})
