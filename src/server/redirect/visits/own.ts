import { type CidrSet, createCidrSet } from '../../kit/network/ip.ts';
import { ownDeviceOf } from '../../kit/visits/own-devices.ts';
import type { Site } from '../memory/site.ts';
import type { Owner, OwnVisits } from '../model.ts';
import type { Visit } from './visit.ts';

type OwnFacts = Pick<Visit, 'ip' | 'response' | 'is_look' | 'is_own' | 'note'>;

/** Marks a visit of the owner himself, who looks at his code and takes nothing. A program is one wherever it comes from. */
export function tellOwn(visit: OwnFacts, owner: Owner, { signing_key }: Site): void {
  if (visit.is_look || !owner.own) return;
  const found = ownVisitOf(owner, visit, signing_key);
  if (found === false) return;
  visit.is_own = true;
  visit.is_look = true;
  // The loader tells the device's owner when it was seen last.
  if (found !== true) visit.note = String(found);
}

/** Ready to be asked; a change of the owner brings a new list. */
const sets = new WeakMap<OwnVisits, CidrSet>();

function networksOf(own: OwnVisits): CidrSet {
  let set = sets.get(own);
  if (set === undefined) {
    set = createCidrSet(own.networks, () => {});
    sets.set(own, set);
  }
  return set;
}

/** Whether the owner of a code visits it himself: the device that he marked and came with, `true` where only his address tells. */
function ownVisitOf({ id, own }: Owner, { ip, response }: OwnFacts, key: Buffer): number | boolean {
  if (!own) return false;
  const device = own.devices.length > 0 ? ownDeviceOf(key, response.req.headers.cookie, id) : 0;
  if (device > 0 && own.devices.includes(device)) return device;
  return own.networks.length > 0 && networksOf(own).has(ip);
}
