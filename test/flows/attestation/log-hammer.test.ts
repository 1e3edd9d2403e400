import { hammer } from './hammer.ts';

await hammer({ clients: 24, calls: 3 });
