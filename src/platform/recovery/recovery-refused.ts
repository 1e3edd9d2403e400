/** A copy, or the place for it, is not what it must be; nothing was changed. */
export class RecoveryRefused extends Error {
  override readonly name = 'RecoveryRefused';
}
