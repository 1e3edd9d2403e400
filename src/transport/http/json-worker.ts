// The thread that reads long JSON bodies.
import { parentPort } from 'node:worker_threads';
import type { ReadBody } from '#kernel/operation.ts';
import { workBelowNormal } from '#platform/below-normal.ts';
import { readJson } from './json-body.ts';

export interface JsonTask {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export interface JsonReply {
  readonly id: number;
  readonly read: ReadBody;
}

workBelowNormal();
const port = parentPort;
if (port === null) throw new Error('this file is run as a thread');
port.on('message', ({ id, bytes }: JsonTask) => port.postMessage({ id, read: readJson(bytes) } satisfies JsonReply));
