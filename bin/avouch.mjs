#!/usr/bin/env node
// The door: plain JavaScript, so that an old Node can read it and hand over to the one that the project carries.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 26;

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const isNewEnough = Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR;

if (isNewEnough && process.features.typescript === 'strip') {
  // Not in the shared temporary directory, where another user could plant compiled code.
  module.enableCompileCache(`${modules}/.cache/compile`);
  await import('../src/main.ts');
} else {
  const carriedNode = `${modules}/.bin/node`;
  if (isOtherNode(carriedNode)) runAgainWith(carriedNode);
  else refuse();
}

function isOtherNode(file) {
  try {
    return realpathSync(file) !== process.execPath;
  } catch {
    return false;
  }
}

function refuse() {
  console.error(`Avouch needs Node ${NEEDED_MAJOR}; this is ${process.version}. Run npm ci first.`);
  process.exitCode = 1;
}

function runAgainWith(node) {
  // Before the start: a signal that comes right after it must not end this process alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  child.on('error', refuse);
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
