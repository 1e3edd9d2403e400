import { suite } from 'node:test';
import { declareAuditProperties } from './audits.ts';

suite('fuse and audits, whatever is declared', () => declareAuditProperties(800));
