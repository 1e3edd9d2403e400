import { type BoundOperation, bind } from '#kernel/operation.ts';
import { asset, serveAsset } from './asset-operation.ts';
import { design } from './design.ts';
import { designPage } from './page-operations.ts';

export const PAGE_OPERATIONS = [asset, designPage] as const;

export function bindPages(): BoundOperation[] {
  const shown = design();
  return [bind(asset, ({ name }) => serveAsset(name)), bind(designPage, () => shown)];
}
