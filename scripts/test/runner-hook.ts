// Loaded before the test runner of Node in a worker. That one follows every promise and timer of the process to know to
// which suite what happens belongs: a tenth of a run. It is needed only while a file says which tests it has.
import asyncHooks, { type AsyncHook } from 'node:async_hooks';

const { createHook } = asyncHooks;
let hook: AsyncHook | undefined;

asyncHooks.createHook = (callbacks) => {
  hook = createHook(callbacks);
  return hook;
};
await import('node:test');
asyncHooks.createHook = createHook;

/** Has the runner follow what happens until it is disposed; it does so by itself from its first suite on. */
export function followed(): Disposable {
  hook?.enable();
  return {
    [Symbol.dispose]() {
      if (hook === undefined) throw new Error('the test runner was loaded before its hook could be seen');
      hook.disable();
    },
  };
}
