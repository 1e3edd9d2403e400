import { jsonAnswer, type Simulator } from '../registers/simulator.ts';

/** A marketplace: what it offers for an issue of the code host, and a task that stands nowhere else. */
export class Marketplace implements Simulator {
  rewards: Record<string, unknown>[] = [
    {
      url: 'https://github.com/sandbox-acme/parser/issues/7',
      pendingPrice: { value: 10_000, unit: 'USD_CENT' },
      claimerUsers: [{ username: 'ben' }],
      tryingUsers: [{ username: 'ben' }, { username: 'eve' }],
    },
    {
      url: 'https://tasks.example/write-a-guide?utm_source=list',
      pendingPrice: { value: 4_550, unit: 'USD_CENT' },
      claimerUsers: [],
      tryingUsers: [],
    },
  ];

  answer({ path, isMismatched }: { path: string; isMismatched: boolean }) {
    if (path !== '/rewards') return jsonAnswer(404, { message: 'Not found' });
    return jsonAnswer(200, isMismatched ? { rewards: this.rewards } : this.rewards);
  }

  throttle() {
    return jsonAnswer(429, { message: 'Too many requests' }, { 'retry-after': '60' });
  }
}
