import { defineProblem } from '#kernel/problem.ts';

export const capabilityUnknown = defineProblem({
  code: 'capability_unknown',
  status: 404,
  title: 'Unknown capability',
  help: 'No capability has this id. See /capabilities/manifest for the list. Nothing was charged.',
});
export const executionNotFound = defineProblem({
  code: 'execution_not_found',
  status: 404,
  title: 'Execution not found',
  help: 'No execution has this id, or it belongs to another agent. Check the id and the key.',
});
export const providerRequired = defineProblem({
  code: 'provider_required',
  status: 424,
  title: 'Model provider required',
  help: 'This work needs a model, and no provider is configured for it. The operator adds one in the file that AVOUCH_CAPABILITY_PROVIDERS names. Nothing was charged.',
});
export const providerFailed = defineProblem({
  code: 'provider_failed',
  status: 502,
  title: 'Provider failed',
  help: 'The provider, the address in the input or the worker process did not return a usable result in time. You can retry the same call. The hold was released and nothing was charged.',
});
export const workTooLarge = defineProblem({
  code: 'work_too_large',
  status: 413,
  title: 'Work too large',
  help: 'The file, table or text is too large when unpacked, or the work needed more memory than one execution may use. errors names the input. The same call fails again: send a smaller or simpler file, or split it. Several such calls within ten minutes pause heavy work for this agent. The hold was released and nothing was charged.',
});
export const tooManyExecutions = defineProblem({
  code: 'too_many_executions',
  status: 429,
  title: 'Too many executions',
  help: 'This agent has the maximum number of executions on files, tables and long texts waiting or running. Retry after the time in Retry-After, or send several inputs in one call. Nothing was charged.',
});
export const heavyWorkPaused = defineProblem({
  code: 'heavy_work_paused',
  status: 429,
  title: 'Heavy work paused',
  help: 'Several recent executions of this agent were stopped because they used too much time or memory. Work on files, tables and long texts is refused until the time in Retry-After. Everything else continues. Nothing was charged.',
});
export const capabilitiesBusy = defineProblem({
  code: 'capabilities_busy',
  status: 503,
  title: 'Capabilities are busy',
  help: 'The queue for work on files, tables and long texts is full. Retry after the time in Retry-After. Nothing was charged.',
});
export const priceUnknown = defineProblem({
  code: 'price_unknown',
  status: 503,
  title: 'Price unknown',
  help: 'The price table has no row for this model, and Avouch never guesses a price. Choose another model or mode. Nothing was charged.',
});
