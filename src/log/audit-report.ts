/** What an audit is asked for. Plain data: it crosses into the thread of the audit. */
export interface AuditRequest {
  readonly head: { readonly size: number; readonly rootHex: string };
  /** The key that must have signed every checkpoint. */
  /** Every key that the log has or had. */
  readonly vkeys: readonly string[];
  /** Some entries only, with the hashes that join them to the root; null for the whole log. */
  readonly range: {
    readonly from: number;
    readonly to: number;
    readonly left: readonly Uint8Array[];
    readonly right: readonly Uint8Array[];
  } | null;
  /** How much of what was verified before is verified again, at least one page. */
  readonly scrub: { readonly entries: number; readonly ms: number };
}

export interface AuditReport {
  readonly ok: boolean;
  readonly treeSize: number;
  readonly rootSigned: string;
  readonly rootRecomputed: string;
  readonly entriesRehashed: number;
  readonly full: boolean;
  readonly timeMonotone: boolean;
  readonly idsOk: boolean;
  readonly verdictsReexecuted: number;
  readonly erased: number;
  readonly rejects: number;
  readonly checkpointsChecked: number;
  /** The entries that had been verified before and were verified again by this call. */
  readonly scrubbed: { readonly from: number; readonly to: number } | null;
  readonly problems: readonly string[];
  readonly hashingMs: number;
  readonly judgingMs: number;
}
