import { hostToMark, ownDeviceCookie, readOwnDevicePath } from '../../kit/visits/own-devices.ts';
import type { Site } from '../memory/site.ts';
import type { Domain, Reply } from '../model.ts';
import type { NextHost } from '../pages/own-device.ts';
import type { Visit } from './visit.ts';

const doneQuery = 'done=';

/**
 * Marks the device that opens an owner's link, on this host, and names the hosts of the link that are left. Which are done is said by the
 * links themselves: no host sees the cookies of another.
 */
export function markOwnDevice(visit: Visit, domain: Domain, { signing_key, settings, hosts, replies }: Site): Reply {
  const link = readOwnDevicePath(signing_key, visit.path, visit.at);
  if (link === undefined) return replies.ownDevice(undefined, visit.page_language);
  const scheme = settings.visit_scheme;
  visit.cookie = ownDeviceCookie(signing_key, link.owner, link.device, { isSecure: scheme === 'https', host: domain.host });
  const said = visit.query.startsWith(doneQuery) ? visit.query.slice(doneQuery.length).split('.', link.domains.length) : [];
  const done = new Set([...said.map(Number), domain.id]);
  const doneHere = link.domains.filter((id) => done.has(id)).join('.');
  const left = link.domains.flatMap((id): NextHost[] => {
    const next = done.has(id) ? undefined : hosts.byId(id);
    if (next === undefined || next.is_frozen) return [];
    return [{ host: next.host, url: `${scheme}://${hostToMark(next.host)}${visit.path}?${doneQuery}${doneHere}` }];
  });
  return replies.ownDevice(left, visit.page_language);
}
