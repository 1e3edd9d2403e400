import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { bomCalculate, getCalculation } from './bom-operations.ts';
import type { Calculations } from './calculations.ts';
import { cancelOrder, createOrder, getOrder, listOrders, placeOrder } from './order-operations.ts';
import type { Orders } from './orders.ts';

/** The rows of this area, in the order in which documents show them. */
export const ORDER_OPERATIONS = [
  bomCalculate,
  getCalculation,
  createOrder,
  listOrders,
  getOrder,
  placeOrder,
  cancelOrder,
];

export function bindOrders(calculations: Calculations, orders: Orders): BoundOperation[] {
  return [
    bind(bomCalculate, (input) => calculations.calculate(input)),
    bind(getCalculation, (input) => calculations.view(input)),
    bind(createOrder, (input) => orders.create(input)),
    bind(listOrders, (input) => orders.list(input)),
    bind(getOrder, (input) => orders.view(input)),
    bind(placeOrder, (input) => orders.place(input)),
    bind(cancelOrder, (input) => orders.cancel(input)),
  ];
}
