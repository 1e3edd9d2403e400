#!/usr/bin/env node
// The door: plain JavaScript, so that an old Node can read it and hand over to the one that the project carries.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 26;

const sources = new URL('../src/', import.meta.url).href;
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const isNewEnough = Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR;

if (isNewEnough && process.features.typescript === 'strip') {
  // Not in the shared temporary directory, where another user could plant compiled code.
  module.enableCompileCache(`${modules}/.cache/compile`);
  module.registerHooks({ resolve: resolveOwn });
  await import('../src/main.ts');
} else {
  const carriedNode = `${modules}/.bin/node`;
  if (isOtherNode(carriedNode)) runAgainWith(carriedNode);
  else refuse();
}

/** Finds the project's own files by their names alone: Node's search of folders takes a sixth of a start. */
function resolveOwn(specifier, context, next) {
  if (!specifier.endsWith('.ts') || !context.parentURL?.startsWith(sources)) return next(specifier, context);
  const url = specifier.startsWith('#') ? sources + specifier.slice(1) : new URL(specifier, context.parentURL).href;
  return { url, format: 'module-typescript', shortCircuit: true };
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
