import type { Platform } from '#platform/platform.ts';

/** Pays what the form asks for, once there is a chain of test money. */
export function sandboxBuyer({ config, clock, payments: { testMoney } }: Platform) {
  return async (challenge: string): Promise<{ readonly payment: string; readonly from: string }> => {
    if (testMoney === undefined) throw new Error('only the chain of a sandbox has a buyer');
    await testMoney.opened();
    // Loaded only when it is used: production has no buyer.
    const { ensureBuyerKey, payWithTestMoney } = await import('./buyer.ts');
    const key = ensureBuyerKey(config.dataDir);
    return { payment: await payWithTestMoney(challenge, key, clock.now()), from: key.address };
  };
}
