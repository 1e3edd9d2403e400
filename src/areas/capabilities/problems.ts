import { defineProblem } from '#kernel/problem.ts';

export const capabilityUnknown = defineProblem({
  code: 'capability_unknown',
  status: 404,
  title: 'Capability unknown',
  help: 'No capability has this id. /capabilities/manifest lists all of them. Nothing was charged.',
});
export const executionNotFound = defineProblem({
  code: 'execution_not_found',
  status: 404,
  title: 'Execution not found',
  help: 'No execution has this id, or it belongs to another agent.',
});
export const providerRequired = defineProblem({
  code: 'provider_required',
  status: 424,
  title: 'A model provider is required',
  help: 'This work needs a model, and this installation has no provider that does it. Its operator names one in the file of AVOUCH_CAPABILITY_PROVIDERS. Nothing was charged.',
});
export const providerFailed = defineProblem({
  code: 'provider_failed',
  status: 502,
  title: 'The work failed',
  help: 'The provider, the address in the input or the process that did the work gave no usable result in time. The hold was given back and nothing was charged. The same call may be repeated.',
});
export const workTooLarge = defineProblem({
  code: 'work_too_large',
  status: 413,
  title: 'Work too large',
  help: 'The file, table or text unpacks to more than is read, or the work needed more memory than one piece of work may take and was ended. errors says which input it was. The hold was given back and nothing was charged. The same call ends the same way: send a smaller or simpler file, or split it. Several such calls within ten minutes pause the heavy work of the agent.',
});
export const tooManyExecutions = defineProblem({
  code: 'too_many_executions',
  status: 429,
  title: 'Too many executions',
  help: 'As many executions on files, tables and long texts as one agent may have are waiting or running. Nothing was charged. Repeat after Retry-After, or send several inputs in one call.',
});
export const heavyWorkPaused = defineProblem({
  code: 'heavy_work_paused',
  status: 429,
  title: 'Heavy work paused',
  help: 'Several pieces of work of this agent were ended in the last minutes because they took too much time or memory. Its work on files, tables and long texts is refused until Retry-After has passed; everything else goes on. Nothing was charged.',
});
export const capabilitiesBusy = defineProblem({
  code: 'capabilities_busy',
  status: 503,
  title: 'Capabilities are busy',
  help: 'As much work on files, tables and long texts as the process takes is waiting. Nothing was charged. Repeat after Retry-After.',
});
export const notInstalled = defineProblem({
  code: 'not_installed',
  status: 503,
  title: 'Not installed',
  help: 'This work needs optional packages that this installation does not have. The detail names the command with which its operator installs them. Where the manifest lists the mode provider, a call with that mode works. Nothing was charged.',
});
export const priceUnknown = defineProblem({
  code: 'price_unknown',
  status: 503,
  title: 'Price unknown',
  help: 'The price table of this installation has no row for the model, and a price is never guessed. Name another model or mode. Nothing was charged.',
});
