import { suite, test } from 'node:test';
import { AUDIT_PROPERTIES } from './audits.ts';

const RUNS = 3_000;

suite('fuse and audits, whatever is declared', () => {
  for (const [name, property] of Object.entries(AUDIT_PROPERTIES)) test(name, () => property(RUNS));
});
