// The thread of the embedded chain: opens it, tells where it answers, and closes it when it is told to stop.
import { parentPort, workerData } from 'node:worker_threads';
import { type ServedChainOptions, serveChain } from './served-chain.ts';

export type ChainNews = { readonly rpcUrl: string } | { readonly fault: string };

const port = parentPort;
if (port === null) throw new Error('this file is the thread of an embedded chain');
const tell = (news: ChainNews) => port.postMessage(news);
const onFault = (error: unknown) => tell({ fault: (error as Error).message });
const chain = await serveChain({ ...(workerData as Pick<ServedChainOptions, 'path'>), onFault });
port.once('message', () => void chain[Symbol.asyncDispose]().finally(() => port.close()));
tell({ rpcUrl: chain.rpcUrl });
