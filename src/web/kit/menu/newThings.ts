import type { NodeKey } from '../../../contract/permissions.ts';

/** Something that can be made from everywhere; `letter` chooses it once the menu "new" is open. */
export type NewThing = { node: NodeKey; label: string; route: string; letter: string };

/** What the menu "new" and the palette offer, the most frequent first. The screens open their forms at `?act=` (`useAskedAct`). */
export const newThings: readonly NewThing[] = [
  { node: 'qr_code_list.add', label: 'set_qr_code.create', route: '/customer/set_qr_code', letter: 'C' },
  { node: 'qr_code_list.import', label: 'menu.code_import', route: '/customer/qr_code_list?act=import', letter: 'I' },
  { node: 'short_code.add', label: 'menu.add_short_code', route: '/customer/short_code?act=add', letter: 'S' },
  { node: 'domain_list.add', label: 'domain_list.add', route: '/customer/domain_list?act=add', letter: 'D' },
  { node: 'forward.add', label: 'menu.add_forward', route: '/customer/forward?act=add', letter: 'F' },
  { node: 'group.add', label: 'group.add', route: '/customer/group?act=add', letter: 'G' },
  { node: 'user_list.add', label: 'user_list.add', route: '/system/user_list?act=add', letter: 'U' },
  { node: 'message_list.send', label: 'message_list.send', route: '/system/message_list?act=send', letter: 'M' },
];
