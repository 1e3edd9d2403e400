#!/usr/bin/env node
// The door: plain JavaScript, so that an old Node can read it and hand over to the one that the project carries.
import module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handOver, isOtherNode } from './hand-over.mjs';

const NEEDED_MAJOR = 26;

const sources = new URL('../src/', import.meta.url).href;
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const nothing = new URL('nothing.cjs', import.meta.url).href;
/** What packages load and nothing here uses, by who asks: messages of zod in fifty languages, versions of others' plug-ins, TLS. */
const UNUSED = new Map([
  ['../locales/index.js', /\/node_modules\/zod\/v4\/(?:classic|core)\//],
  ...['semver', 'node:http2', 'node:https'].map((name) => [name, /\/node_modules\/fastify\/lib\//]),
]);
const isNewEnough = Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR;

if (isNewEnough && process.features.typescript === 'strip') {
  // Not in the shared temporary directory, where another user could plant compiled code.
  module.enableCompileCache(`${modules}/.cache/compile`);
  module.registerHooks({ resolve: resolveOwn });
  await import('../src/main.ts');
} else {
  const carriedNode = carried();
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  if (isOtherNode(carriedNode)) handOver(carriedNode, args, refuse);
  else refuse();
}

/** Finds the project's own files by their names alone: Node's search of folders takes a sixth of a start. */
function resolveOwn(specifier, context, next) {
  if (UNUSED.get(specifier)?.test(context.parentURL)) return { url: nothing, shortCircuit: true };
  if (!specifier.endsWith('.ts') || !context.parentURL?.startsWith(sources)) return next(specifier, context);
  const url = specifier.startsWith('#') ? sources + specifier.slice(1) : new URL(specifier, context.parentURL).href;
  return { url, format: 'module-typescript', shortCircuit: true };
}

/** The Node that comes as a package, wherever npm put it. */
function carried() {
  const require = createRequire(import.meta.url);
  for (const name of [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`]) {
    try {
      return `${dirname(require.resolve(`${name}/package.json`))}/bin/node`;
    } catch {
      // Not for this machine.
    }
  }
  return `${modules}/.bin/node`;
}

function refuse() {
  console.error(
    `Avouch needs Node ${NEEDED_MAJOR}, and this is ${process.version}. Dependencies are not installed. Run \`npm start\` or \`npm ci\` once.`,
  );
  process.exitCode = 1;
}
