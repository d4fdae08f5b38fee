import { describe, expect, it } from 'vitest';
import type { Code, Domain, Owner, StoredCode } from '../model.ts';
import { decide, type Facts } from './decide.ts';

const now = Date.UTC(2026, 5, 1);
const domain: Domain = { id: 1, host: 'entry.example', type: 1, holder_id: null, block_status: null, is_frozen: false };
const stored: StoredCode = {
  id: 5,
  file_name: 'abcd',
  owner_id: 9,
  entry_domain_id: 1,
  landing_domain_id: null,
  open: true,
  rotation_mode: 1,
  jump_type: 1,
  access_mode: 1,
  restriction_visit: 1,
  open_log: true,
  fallback_url: null,
  page_title: '',
  page_text: '',
  page_style: 'card',
  page_color: null,
  expires_at: null,
  removed: false,
  is_frozen: false,
  same_target: false,
  js_config_ids: [],
  targets: [],
};
const owner: Owner = { id: 9, is_disabled: false, is_frozen: false, member_expires_at: null, all_codes_open: true };

const codeWith = (changes: Partial<StoredCode> = {}, ownerChanges: Partial<Owner> = {}): Code => ({
  ...stored,
  ...changes,
  owner: { ...owner, ...ownerChanges },
  usable: [],
  sole: null,
  targeting: null,
  snippets: undefined,
  fallback: null,
  fallback_reply: undefined,
  cursor: 0,
  is_stale: false,
});

const facts = (changes: Partial<Facts> = {}): Facts => ({
  domain,
  is_blocked: false,
  is_source_blocked: false,
  code: codeWith(),
  has_landing: false,
  at: now,
  grace_milliseconds: 0,
  proof: 'none',
  is_messenger: false,
  ...changes,
});

describe('a request is decided', () => {
  it.each([
    ['rotate', {}],
    ['unknown_host', { domain: undefined }],
    ['blocked_ip', { is_blocked: true }],
    ['load', { code: undefined }],
    ['not_found', { code: null }],
    ['not_found', { code: codeWith({ removed: true }) }],
    ['not_found', { domain: { ...domain, type: 3 } }],
    ['frozen', { code: codeWith({ is_frozen: true }) }],
    ['frozen', { code: codeWith({}, { is_frozen: true }) }],
    ['frozen', { domain: { ...domain, is_frozen: true } }],
    ['closed', { code: codeWith({ open: false }) }],
    ['closed', { code: codeWith({}, { all_codes_open: false }) }],
    ['closed', { code: codeWith({ expires_at: now }) }],
    ['rotate', { code: codeWith({ expires_at: now + 1 }) }],
    ['owner_inactive', { code: codeWith({}, { is_disabled: true }) }],
    ['owner_inactive', { code: codeWith({}, { member_expires_at: now }) }],
    ['rotate', { code: codeWith({}, { member_expires_at: now + 1 }) }],
    ['rotate', { code: codeWith({}, { member_expires_at: now - 1000 }), grace_milliseconds: 1001 }],
    ['owner_inactive', { code: codeWith({}, { member_expires_at: now - 1000 }), grace_milliseconds: 1000 }],
    ['not_scanned', { code: codeWith({ access_mode: 2 }) }],
    ['entry', { code: codeWith({ access_mode: 2 }), proof: 'signature' }],
    ['spend', { code: codeWith({ access_mode: 2 }), proof: 'ticket' }],
    ['rotate', { code: codeWith({ access_mode: 2 }), proof: 'spent' }],
    ['not_messenger', { code: codeWith({ restriction_visit: 2 }) }],
    ['rotate', { code: codeWith({ restriction_visit: 2 }), is_messenger: true }],
    ['entry', { has_landing: true }],
    ['rotate', { has_landing: true, domain: { ...domain, type: 2 } }],
    ['entry', { has_landing: true, code: codeWith({ access_mode: 2 }), proof: 'signature' }],
    ['rotate', { has_landing: true, code: codeWith({ access_mode: 2 }), proof: 'spent' }],
  ] satisfies [string, Partial<Facts>][])('as %s by %o', (verdict, changes) => {
    expect(decide(facts(changes))).toBe(verdict);
  });

  it('by the first rule that fails, in the order of the product', () => {
    const owner = { is_disabled: true, all_codes_open: false };
    const worst = { removed: true, is_frozen: true, open: false, access_mode: 2, restriction_visit: 2 };
    const served = { ...worst, removed: false, is_frozen: false, open: true };
    const steps: [string, Partial<Facts>][] = [
      ['unknown_host', { domain: undefined, is_blocked: true, code: codeWith(worst, owner) }],
      ['blocked_ip', { is_blocked: true, code: codeWith(worst, owner) }],
      ['not_found', { code: codeWith(worst, owner) }],
      ['frozen', { code: codeWith({ ...worst, removed: false }, owner) }],
      ['closed', { code: codeWith({ ...served, open: false }, owner) }],
      ['owner_inactive', { code: codeWith(served, { is_disabled: true }) }],
      ['not_scanned', { code: codeWith(served) }],
      // A ticket is spent before the messenger is asked for, so that a used one is refused by its own name.
      ['spend', { code: codeWith(served), proof: 'ticket' }],
      ['not_messenger', { code: codeWith(served), proof: 'spent' }],
    ];
    expect(steps.map(([, changes]) => decide(facts(changes)))).toEqual(steps.map(([verdict]) => verdict));
  });

  it("on its own domains, its owner's and the platform's, and on no one else's", () => {
    const foreign = { ...domain, id: 77, holder_id: 1000 };
    const verdicts = [
      decide(facts({ domain: foreign })),
      decide(facts({ domain: { ...foreign, holder_id: 9 } })),
      decide(facts({ domain: { ...foreign, holder_id: null } })),
      decide(facts({ domain: foreign, code: codeWith({ entry_domain_id: 77 }) })),
      decide(facts({ domain: { ...foreign, type: 2 }, code: codeWith({ landing_domain_id: 77 }) })),
    ];
    expect(verdicts).toEqual(['not_found', 'rotate', 'rotate', 'rotate', 'rotate']);
  });
});
