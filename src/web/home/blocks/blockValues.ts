import type { HomeBlock, HomeBlockKind } from '../../../contract/content/home-page-config.ts';
import { linkJumpType } from '../../../contract/links/jump.ts';
import { newRequestId } from '../../kit/calls/api.ts';

/** A block in the form: `key` names it while it is dragged about. */
export type BlockValues = HomeBlock & { key: string };

export const valuesOf = (blocks: readonly HomeBlock[]): BlockValues[] => blocks.map((block) => ({ ...block, key: newRequestId() }));

/** What is sent: exactly the fields of each kind, whatever else a form keeps. */
export const blocksOf = (values: readonly BlockValues[]): HomeBlock[] => values.map(blockOf);

function blockOf(block: BlockValues): HomeBlock {
  const common = { title: block.title ?? '', enabled: block.enabled };
  switch (block.kind) {
    case 'announcement':
      return { kind: block.kind, ...common, body: block.body };
    case 'banner':
      return { kind: block.kind, ...common, rotation_type_id: block.rotation_type_id };
    case 'links':
      return {
        kind: block.kind,
        ...common,
        links: block.links.map(({ title, jump_type, jump_address }) => ({ title, jump_type, jump_address })),
      };
  }
}

export const newLink = () => ({ title: '', jump_type: linkJumpType.router, jump_address: '' });

/** A new block as the form shows it first; what must still be chosen is missing, and the contract says so when it is sent. */
export function newBlock(kind: HomeBlockKind): BlockValues {
  const common = { key: newRequestId(), title: '', enabled: true };
  switch (kind) {
    case 'announcement':
      return { kind, ...common, body: '' };
    case 'banner':
      return { kind, ...common, rotation_type_id: undefined as unknown as number };
    case 'links':
      return { kind, ...common, links: [newLink()] };
  }
}
