import { suite } from 'node:test';
import { declareLedgerModel } from './ledger-model.ts';

suite('for longer', () => declareLedgerModel({ sqlite: 80, postgres: 10, reachesAll: true }));
