import * as verifier from '../verify/avouch-verify.mjs';

/** What is known of the service without asking it: with it everything verifies offline. */
export interface Trust {
  /** Raw public keys of receipts, base64. */
  readonly receiptKeys: readonly string[];
  /** Keys of the log as C2SP vkeys. */
  readonly logKeys: readonly string[];
  readonly sandbox: boolean;
}

interface PublishedKeys {
  readonly sandbox: boolean;
  readonly keys: readonly { scope: string; alg: string; vkey: string | null; public_key: string }[];
}

export function trustIn({ keys, sandbox }: PublishedKeys): Trust {
  const ofScope = (scope: string) => keys.filter((key) => key.scope === scope && key.alg === 'ed25519');
  return {
    receiptKeys: ofScope('receipts').map(({ public_key }) => public_key),
    logKeys: ofScope('log-checkpoint').flatMap(({ vkey }) => (vkey === null ? [] : [vkey])),
    sandbox,
  };
}

const UNTRUSTED = {
  valid: false,
  checks: [{ name: 'keys', ok: false, detail: 'no keys were given, and those of the service cannot be read' }],
};

export type Verifiers = ReturnType<typeof verifiersBy>;

/** Checks that need nobody's word but that of the keys; without keys nothing is valid. */
export function verifiersBy(trusted: () => Promise<Trust | undefined>) {
  return {
    /** A whole answer with its receipt, which says what it signs; with the request also that it was for this call. */
    async verifyReceipt(answer: { readonly receipt?: unknown }, request?: object): Promise<verifier.ReceiptResult> {
      const trust = await trusted();
      if (trust === undefined) return { ...UNTRUSTED, outcome: 'signer_not_known' };
      const { receiptKeys: keys, sandbox } = trust;
      return verifier.verifyReceipt(answer.receipt, {
        answer,
        keys,
        sandbox,
        ...(request !== undefined && { request }),
      });
    },
    /** The answer of a seal, or of the verification of one. */
    async verifySeal(
      answer: unknown,
      options: Parameters<typeof verifier.verifySealAnswer>[2] = {},
    ): Promise<verifier.EntryResult> {
      const trust = await trusted();
      return trust === undefined ? UNTRUSTED : verifier.verifySealAnswer(answer, trust.logKeys, options);
    },
    /** A proof file (C2SP tlog-proof). */
    async verifyProof(
      text: string,
      options: Parameters<typeof verifier.verifyTlogProof>[2] = {},
    ): Promise<verifier.EntryResult> {
      const trust = await trusted();
      return trust === undefined ? UNTRUSTED : verifier.verifyTlogProof(text, trust.logKeys, options);
    },
  };
}
