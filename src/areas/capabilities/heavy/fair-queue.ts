interface Line<T> {
  readonly waiting: T[];
  running: number;
}

/** What waits, one line for each agent: lines take turns, and no agent has more under way than it may. */
export class FairQueue<T> {
  readonly #maxRunning: number;
  /** In the order of their turns. */
  readonly #lines = new Map<string, Line<T>>();

  constructor(maxRunningPerAgent: number) {
    this.#maxRunning = maxRunningPerAgent;
  }

  push(agentId: string, item: T): void {
    const line = this.#lines.get(agentId) ?? { waiting: [], running: 0 };
    line.waiting.push(item);
    this.#lines.set(agentId, line);
  }

  /** The next that may run; its agent goes to the end of the turns. */
  take(): T | undefined {
    for (const [agentId, line] of this.#lines) {
      if (line.running >= this.#maxRunning) continue;
      const item = line.waiting.shift();
      if (item === undefined) continue;
      line.running += 1;
      this.#lines.delete(agentId);
      this.#lines.set(agentId, line);
      return item;
    }
    return undefined;
  }

  /** What was taken for the agent is over. */
  finished(agentId: string): void {
    const line = this.#lines.get(agentId);
    if (line === undefined) return;
    line.running -= 1;
    this.#forgetEmpty(agentId, line);
  }

  /** Takes out what no longer wants to run. */
  remove(agentId: string, item: T): void {
    const line = this.#lines.get(agentId);
    const at = line?.waiting.indexOf(item) ?? -1;
    if (line === undefined || at < 0) return;
    line.waiting.splice(at, 1);
    this.#forgetEmpty(agentId, line);
  }

  /** Takes out everything. */
  clear(): T[] {
    const left = [...this.#lines.values()].flatMap(({ waiting }) => waiting.splice(0));
    for (const [agentId, line] of this.#lines) this.#forgetEmpty(agentId, line);
    return left;
  }

  #forgetEmpty(agentId: string, { waiting, running }: Line<T>): void {
    if (waiting.length === 0 && running === 0) this.#lines.delete(agentId);
  }
}
