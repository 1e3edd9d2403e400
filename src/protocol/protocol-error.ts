/** Everything that can be wrong with bytes of the log formats. One word per state; callers switch over it. */
export type ProtocolErrorCode =
  /** An argument is of the wrong JavaScript type or length: a mistake of the caller, not of an outsider. */
  | 'argument_invalid'
  /** An index, size or height outside the tree. */
  | 'out_of_range'
  | 'tree_full'
  | 'range_malformed'
  | 'key_malformed'
  | 'key_id_mismatch'
  | 'key_type_unsupported'
  | 'key_duplicate'
  | 'note_malformed'
  | 'too_many_signatures'
  /** A known key, and a signature that is not its own. */
  | 'signature_invalid'
  /** No signature by a known key. */
  | 'signature_missing'
  | 'checkpoint_malformed'
  /** Signed by known keys, of which none belongs to the origin. */
  | 'origin_unsigned'
  | 'quorum_not_met'
  | 'tile_path_malformed'
  | 'tile_mismatch'
  | 'bundle_malformed'
  | 'entry_too_long'
  | 'proof_malformed'
  | 'inclusion_invalid'
  | 'request_malformed'
  | 'policy_malformed'
  | 'cbor_malformed'
  | 'receipt_malformed';

/** The one error of this layer. `detail` names the place, never the content: it may be shown to anybody. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: ProtocolErrorCode;

  constructor(code: ProtocolErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}
