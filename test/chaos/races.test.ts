import { declareRaces } from './races.ts';

await declareRaces({ clients: 60, repeats: 10, calls: 300, grants: 40, keys: 10, turns: 6 });
