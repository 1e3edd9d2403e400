/** What can be wrong with the bytes of a leaf or with the parts of a seal. */
export type AttestationErrorCode =
  | 'leaf_too_long'
  | 'leaf_not_utf8'
  | 'leaf_not_json'
  /** Another text than RFC 8785 gives for the same value. */
  | 'leaf_not_canonical'
  | 'leaf_version_unknown'
  | 'leaf_type_unknown'
  | 'leaf_field_missing'
  | 'leaf_field_unknown'
  | 'leaf_field_invalid'
  /** Fields that are each well-formed and contradict each other. */
  | 'leaf_inconsistent'
  | 'seed_invalid'
  | 'observation_invalid'
  /** The observations are not the answers to what the claim needs. */
  | 'observations_mismatch';

/** `message` names the place, never the content of a claim: it may be shown to anybody. */
export class AttestationError extends Error {
  override readonly name = 'AttestationError';
  readonly code: AttestationErrorCode;

  constructor(code: AttestationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
