// What a platform needs of the mandate handshake, in one file without dependencies: ask before, seal after.

export interface Question {
  readonly mandate_id: string;
  readonly action: string;
  readonly amount_cents: number;
  readonly currency: string;
  /** SHA-256 of what is agreed. */
  readonly payload_hash: string;
  readonly custom_action?: string;
  readonly counterparty?: string;
  readonly approval_ref?: string;
  readonly agent_signature?: string;
  readonly min_assurance?: 'unsigned' | 'principal_signed';
  readonly hold_seconds?: number;
}

export interface Decision {
  readonly ok: boolean;
  readonly verify_ref: string;
  readonly decision: 'ALLOW' | 'DENY' | 'NEEDS_APPROVAL';
  readonly reason: string;
  readonly expires_at: string | null;
  readonly attestation_id: string;
}

export type Outcome = 'placed' | 'confirmed' | 'delivered' | 'failed' | 'cancelled' | 'refused';

export interface Sealed {
  readonly attestation_id: string;
  readonly state: string;
  readonly committed_cents: number;
  readonly late: boolean;
}

/** A call that the service refused; `code` says why. */
export class MandateCallError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(`${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
  }
}

const ATTEMPTS = 5;
const PAUSE_MS = 250;

export class MandateClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;

  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
  }

  /** Asks and reserves. The request id makes repeating safe: a lost answer is given again, not decided again. */
  verify(question: Question, requestId: string = crypto.randomUUID()): Promise<Decision> {
    return this.#post('/api/amh/verify', { ...question, request_id: requestId });
  }

  /** Seals what came of it; the same seal again gives the same answer. */
  seal(verifyRef: string, outcome: Outcome, more: Readonly<Record<string, unknown>> = {}): Promise<Sealed> {
    return this.#post('/api/amh/seal', { verify_ref: verifyRef, outcome, ...more });
  }

  /** Runs the work only where the mandate allows it, and seals whether it was done or failed. */
  async guard<T>(
    question: Question,
    work: () => Promise<T>,
  ): Promise<{ decision: Decision; sealed?: Sealed; result?: T }> {
    const decision = await this.verify(question);
    if (!decision.ok) return { decision };
    let result: T;
    try {
      result = await work();
    } catch (error) {
      await this.seal(decision.verify_ref, 'failed');
      throw error;
    }
    return { decision, result, sealed: await this.seal(decision.verify_ref, 'placed') };
  }

  async #post<T>(path: string, body: object): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(path, body).catch((error: unknown) => {
        if (attempt === ATTEMPTS) throw error;
        return undefined;
      });
      if (response !== undefined && (response.status < 500 || attempt === ATTEMPTS)) return read<T>(response);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }

  #send(path: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json', 'x-amh-key': this.#apiKey };
    return fetch(this.#baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  }
}

async function read<T>(response: Response): Promise<T> {
  const answer = (await response.json()) as { code?: string; detail?: string };
  if (response.ok) return answer as T;
  throw new MandateCallError(response.status, answer.code ?? 'unknown', answer.detail ?? '');
}

/** SHA-256 of a text in the form that verify takes. */
export async function payloadHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256:${Buffer.from(digest).toString('hex')}`;
}
