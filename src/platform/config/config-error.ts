/** Every fault of the configuration at once, so that nobody mends them one start at a time. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}`);
    this.faults = faults;
  }
}
