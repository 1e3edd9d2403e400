// The reporter of a worker: hands every result to the runner as it comes, and tells the worker when a file is through.
import { channel } from 'node:diagnostics_channel';
import { Transform } from 'node:stream';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { FILE_REPORTED, type Message } from './messages.ts';

/** The outermost level is the file itself. */
const FILE_LEVEL = 1;
const reported = channel(FILE_REPORTED);
const names: string[] = [];

export default new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    report(event);
    done();
  },
});

function report({ type, data }: TestEvent): void {
  if (type === 'test:start') names[data.nesting] = data.name;
  // Told in the order of the work; 'test:start' comes in the order of the report.
  if (type === 'test:dequeue' && data.nesting >= FILE_LEVEL) send({ kind: 'started', name: data.name });
  if (type !== 'test:pass' && type !== 'test:fail') return;
  if (data.nesting < FILE_LEVEL) setImmediate(() => reported.publish(data.name));
  const path = [...names.slice(FILE_LEVEL, data.nesting), ...(data.nesting >= FILE_LEVEL ? [data.name] : [])];
  const isSkipped = data.skip !== undefined && data.skip !== false;
  if (type === 'test:fail') {
    // A suite whose tests failed has nothing to add to them.
    const { error } = data.details;
    if ('failureType' in error && error.failureType === 'subtestsFailed') return;
    send({ kind: 'result', result: { path, outcome: 'failed', error: inspect(error.cause ?? error) } });
  } else if (isSkipped || data.details.type !== 'suite') {
    const reason = typeof data.skip === 'string' ? { reason: data.skip } : {};
    send({ kind: 'result', result: { path, outcome: isSkipped ? 'skipped' : 'passed', ...reason } });
  }
}

function send(message: Message): void {
  process.send?.(message);
}
