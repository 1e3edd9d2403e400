// The other signal; `npm test` ends a service without callers with it.
import { stopUnderLoad } from './stop-under-load.ts';

stopUnderLoad('SIGINT');
