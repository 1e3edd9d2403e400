// The reporter of a worker: hands every result to the runner as it comes, and tells the worker when a file is through.
import { channel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import type { TestEvent } from 'node:test/reporters';
import { FILE_REPORTED, type Message } from './messages.ts';

const reported = channel(FILE_REPORTED);
/** The outermost level is the file itself. */
const FILE_LEVEL = 1;

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<never> {
  const names: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      names[data.nesting] = data.name;
      if (data.nesting >= FILE_LEVEL) send({ kind: 'started', name: data.name });
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.nesting < FILE_LEVEL) setImmediate(() => reported.publish({}));
    const path = [...names.slice(FILE_LEVEL, data.nesting), ...(data.nesting >= FILE_LEVEL ? [data.name] : [])];
    const isSkipped = data.skip !== undefined && data.skip !== false;
    if (type === 'test:fail') {
      // A suite whose tests failed has nothing to add to them.
      const { error } = data.details;
      if ('failureType' in error && error.failureType === 'subtestsFailed') continue;
      send({ kind: 'result', result: { path, outcome: 'failed', error: inspect(error.cause ?? error) } });
    } else if (isSkipped || data.details.type !== 'suite') {
      const reason = typeof data.skip === 'string' ? { reason: data.skip } : {};
      send({ kind: 'result', result: { path, outcome: isSkipped ? 'skipped' : 'passed', ...reason } });
    }
  }
}

function send(message: Message): void {
  process.send?.(message);
}
