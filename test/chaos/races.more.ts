import { declareRaces } from './races.ts';

await declareRaces({ clients: 200, repeats: 20, calls: 3_000, grants: 200, keys: 40, turns: 20 });
