// The same with many more clients than `npm test` has.
import { hammer } from './hammer.ts';

await hammer({ clients: 64, calls: 6 });
