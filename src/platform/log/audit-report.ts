/** What an audit is asked for. Plain data: it crosses into the thread of the audit. */
export interface AuditRequest {
  readonly head: { readonly size: number; readonly rootHex: string };
  /** Every key that the log has or had. */
  readonly vkeys: readonly string[];
  /** Some entries only, with the hashes that join them to the root; null for the whole log. */
  readonly range: {
    readonly from: number;
    readonly to: number;
    readonly left: readonly Uint8Array[];
    readonly right: readonly Uint8Array[];
  } | null;
  /** How much of what was verified before is verified again, at least one page; null for what is new alone. */
  readonly scrub: { readonly entries: number; readonly ms: number } | null;
  readonly nowMs: number;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly treeSize: number;
  readonly rootSigned: string;
  readonly rootRecomputed: string;
  readonly entriesRehashed: number;
  /** How many entries were read from the store by this audit. */
  readonly entriesRead: number;
  /** When the audit began, and the time since which every entry of the log or range was read. */
  readonly auditedAtMs: number;
  readonly readSinceMs: number;
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
