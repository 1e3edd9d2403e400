/** How many a page of a list has. */
export const LIST_PAGE = 50;
/** States in which a task is not over. */
export const OPEN_TASKS: ReadonlySet<string> = new Set([
  ...['submitted', 'input_required', 'quoted', 'payment_required', 'working'],
]);
/** States in which the service changes a task without anybody's help. */
export const MOVING_TASKS: ReadonlySet<string> = new Set(['submitted', 'working']);
/** States in which an order can be cancelled. */
export const CANCELLABLE_ORDERS: ReadonlySet<string> = new Set(['placed', 'confirmed']);

interface Filter {
  readonly label: string;
  readonly states: readonly string[];
}

export const TASK_FILTERS = {
  needs_you: { label: 'Needs you', states: ['input_required', 'payment_required', 'quoted'] },
  running: { label: 'Running', states: ['submitted', 'working'] },
  done: { label: 'Done', states: ['completed'] },
  failed: { label: 'Failed', states: ['failed', 'rejected', 'canceled', 'expired'] },
} as const satisfies Record<string, Filter>;

export const ORDER_FILTERS = {
  open: { label: 'Open', states: ['quoted', 'placed', 'confirmed', 'shipped'] },
  delivered: { label: 'Delivered', states: ['delivered', 'returned'] },
  cancelled: { label: 'Cancelled', states: ['cancelled', 'refused', 'expired'] },
} as const satisfies Record<string, Filter>;
