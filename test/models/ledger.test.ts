import { declareLedgerModel } from './ledger-model.ts';

await declareLedgerModel({ sqlite: 14, postgres: 2, reachesAll: false });
