/** `Promise.withResolvers`, which Node 20 lacks. */
export function withResolvers<T>() {
  const made: {
    resolve?: (value: T | PromiseLike<T>) => void;
    reject?: (reason: Error) => void;
  } = {};
  const promise = new Promise<T>((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  return {
    promise,
    resolve: (value: T | PromiseLike<T>) => made.resolve?.(value),
    reject: (reason: Error) => made.reject?.(reason),
  };
}
