import type { GateAnswer } from '#kernel/paid-operation.ts';

/** A paid call under way in this process. */
export interface Running {
  readonly fingerprint: string;
  readonly headerSha256: string;
  readonly answer: Promise<GateAnswer>;
  /** True from the moment at which the authorization may be public. */
  isSettling: boolean;
}

/** Lets calls with the same authorization wait for the one that does the work. */
export class InFlightCalls {
  readonly #running = new Map<string, Running>();

  get(key: string): Running | undefined {
    return this.#running.get(key);
  }

  /** Entered before the work begins, so that no second caller can slip in between. */
  async run(
    key: string,
    request: Pick<Running, 'fingerprint' | 'headerSha256'>,
    work: (running: Running) => Promise<GateAnswer>,
  ): Promise<GateAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<GateAnswer>();
    // Without a joiner nobody hears of a rejection but the caller below.
    promise.catch(() => {});
    const running: Running = { ...request, answer: promise, isSettling: false };
    this.#running.set(key, running);
    try {
      const answer = await work(running);
      resolve(answer);
      return answer;
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      this.#running.delete(key);
    }
  }
}
