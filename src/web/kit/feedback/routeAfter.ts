import type { NodeKey } from '../../../contract/permissions.ts';
import { codePage, codePageNodes } from '../CodeLink.tsx';
import { routeOf } from '../shell/menuTree.ts';

type Input = { ids?: readonly number[]; removed?: boolean };
type Allows = (node: NodeKey) => boolean;

/** The first of these screens that the user may open. */
const oneOf =
  (...screens: readonly NodeKey[]) =>
  (allows: Allows): string | undefined => {
    const screen = screens.find(allows);
    return screen && routeOf(screen);
  };

const codes = oneOf('qr_code_list', 'qr_code_list_admin');
const bin = oneOf('qr_code_remove');
const cleared = oneOf('recover');
const blacklist = oneOf('server_ip_black');

/** Where restored codes are: one on its page, several in their list. */
function restored({ ids: [id, ...further] = [] }: Input, allows: Allows): string | undefined {
  return id !== undefined && further.length === 0 && codePageNodes.some(allows) ? codePage(id) : codes(allows);
}

const routes: Readonly<Record<string, (allows: Allows, input: Input) => string | undefined>> = {
  'qr_code_list/update_remove': (allows, input) => (input.removed ? bin(allows) : restored(input, allows)),
  'qr_code_access/clear': cleared,
  'visitor/blacklist': blacklist,
  'checkout_ip/blacklist': blacklist,
  'stealing_list/blacklist': blacklist,
  'wx_shield_detection/monitor': oneOf('admin_domain_monitor', 'domain_monitor'),
};

/** The route of the screen that shows what a call did, where its rows are seen on another one from then on. */
export const routeAfter = ({ group, action }: { group: string; action: string }, input: object, allows: Allows): string | undefined =>
  routes[`${group}/${action}`]?.(allows, input);
