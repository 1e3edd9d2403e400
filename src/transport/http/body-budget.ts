/** In bytes. */
export interface BodyLimits {
  /** So much of each body is not counted: the bodies of most calls are shorter, and are taken whatever others send. */
  readonly uncounted: number;
  readonly perAddress: number;
  /** Over all connections. */
  readonly perProcess: number;
}

const MIB = 1024 * 1024;
export const BODY_LIMITS: BodyLimits = {
  uncounted: 16_384,
  // The longest body that any call takes.
  perAddress: 32 * MIB,
  perProcess: 64 * MIB,
};

/** What is kept of bodies that have not been read yet. */
export class BodyBudget {
  readonly limits: BodyLimits;
  readonly #ofAddress = new Map<string, number>();
  #all = 0;

  constructor(limits: BodyLimits = BODY_LIMITS) {
    this.limits = limits;
  }

  /** A body that is about to come. */
  begin(addressOf: () => string): KeptBytes {
    return new KeptBytes(this, addressOf);
  }

  take(address: string, bytes: number): boolean {
    const ofAddress = (this.#ofAddress.get(address) ?? 0) + bytes;
    if (this.#all + bytes > this.limits.perProcess || ofAddress > this.limits.perAddress) return false;
    this.#all += bytes;
    this.#ofAddress.set(address, ofAddress);
    return true;
  }

  giveBack(address: string, bytes: number): void {
    this.#all -= bytes;
    const left = (this.#ofAddress.get(address) ?? 0) - bytes;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
  }
}

/** The part of one body in the budget. */
export class KeptBytes {
  readonly #budget: BodyBudget;
  readonly #addressOf: () => string;
  #address: string | undefined;
  #received = 0;
  #counted = 0;

  constructor(budget: BodyBudget, addressOf: () => string) {
    this.#budget = budget;
    this.#addressOf = addressOf;
  }

  /** Whether so much more of the body may be kept. */
  add(bytes: number): boolean {
    this.#received += bytes;
    const more = this.#received - this.#budget.limits.uncounted - this.#counted;
    if (more <= 0) return true;
    this.#address ??= this.#addressOf();
    if (!this.#budget.take(this.#address, more)) return false;
    this.#counted += more;
    return true;
  }

  /** The body was read, or nobody will read it. */
  end(): void {
    if (this.#address !== undefined) this.#budget.giveBack(this.#address, this.#counted);
    this.#counted = 0;
    this.#address = undefined;
  }
}
