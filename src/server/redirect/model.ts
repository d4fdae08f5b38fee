import type { TargetRule } from '../../contract/codes/targeting.ts';
import type { blockStatuses, domainTypes, jumpTypes, pageStyles, TargetKind } from '../../contract/enums.ts';
import type { VisitSettings } from '../../contract/settings.visits.ts';
import type { CompiledRule, RuleNeeds } from '../kit/visits/targeting.ts';
import type { PageSnippets } from './answers/snippets.ts';
import type { Markup } from './pages/markup.ts';
import type { Quota } from './rotation/quota.ts';

/** An answer ready to be sent, with its body. */
export interface Reply extends Body {
  status: number;
  /** Status line and header fields as they are sent, up to the value of the last one, which is the visit's id. */
  head: string;
}

/**
 * A body in pieces, one character a byte, which node:http sends together with the head as one string. Pages of one kind share all but
 * their title and address, and those of a picture all but what its press is told by.
 */
export interface Body extends Markup {
  title: string;
  url: string;
}

/** The finished answers of one target: most are asked for in one language, so that each knows the next instead of standing in a list. */
export interface KeptReply extends Reply {
  language: number;
  next: KeptReply | undefined;
}

/** Where a link leads to, where that is the same for every visitor. */
export interface KeptLink {
  /** Those that it was made with: they name the schemes that visitors may be sent to. */
  settings: VisitSettings;
  /** Null where it leads nowhere that a visitor may be sent to. */
  to: LinkTarget | null;
}

export interface LinkTarget {
  reply: Reply;
  /** Of a web address, otherwise empty. */
  host: string;
  path: string;
}

export interface Domain {
  id: number;
  /** Lower case, perhaps with a port, perhaps beginning with `*.`. */
  host: string;
  type: (typeof domainTypes)[number];
  /** Null is the platform pool. */
  holder_id: number | null;
  /** Null where nobody checked whether it is blocked. */
  block_status: (typeof blockStatuses)[number] | null;
  /** An administrator froze it: nothing is answered on it. */
  is_frozen: boolean;
}

/** Shared by all codes of the owner and changed in place. */
export interface Owner {
  id: number;
  is_disabled: boolean;
  is_frozen: boolean;
  /** Milliseconds since 1970; null never expires. */
  member_expires_at: number | null;
  all_codes_open: boolean;
  /** From where, and with which marked devices, he visits his own codes; null where he named neither. Snapshots of earlier versions lack it. */
  own?: OwnVisits | null;
}

export interface OwnVisits {
  networks: string[];
  devices: number[];
}

export interface StoredTarget {
  id: number;
  kind: TargetKind;
  content: string;
  /** Name of the uploaded picture, or its public address. */
  picture: string | null;
  name: string;
  weight: number;
  /** Whether it has a threshold; then `generation` and `remaining` are those of its quota, or null where it has none. */
  is_limited: boolean;
  generation: number | null;
  remaining: number | null;
  expires_at: number | null;
  /** Null serves everybody. */
  rules: TargetRule[] | null;
  /** Its picture holds no QR code that could be read by a long press. */
  any_picture: boolean;
}

/** A live code as the database and the snapshot hold it; its enabled targets in their order. */
export interface StoredCode {
  id: number;
  file_name: string;
  owner_id: number;
  entry_domain_id: number | null;
  landing_domain_id: number | null;
  open: boolean;
  rotation_mode: number;
  jump_type: (typeof jumpTypes)[number];
  access_mode: number;
  restriction_visit: number;
  open_log: boolean;
  fallback_url: string | null;
  page_title: string;
  page_text: string;
  page_style: (typeof pageStyles)[number];
  page_color: string | null;
  expires_at: number | null;
  removed: boolean;
  is_frozen: boolean;
  same_target: boolean;
  js_config_ids: number[];
  targets: StoredTarget[];
}

/** What a key was found to be: a code's own, or an alias of the code, which has `alias_id`. */
export interface LoadedCode {
  key: string;
  alias_id: number | null;
  code: StoredCode;
  owner: Owner;
}

/** A further key of a code, by the file name that it leads to, so that all keys of a code share one code. */
export interface Alias {
  key: string;
  alias_id: number;
  file_name: string;
  /** As of a code. */
  is_stale: boolean;
}

/**
 * A target ready to be served. Like a code it is one object with what it was made from, because ten thousand codes at random are seldom
 * in the processor's cache: each object more that a visit touches is a wait for the memory.
 */
export interface Target extends StoredTarget {
  /** Null where it is endless. */
  quota: Quota | null;
  /** Finished jump pages. */
  reply: KeptReply | undefined;
  /** What a visitor's cookie says of it, and the whole cookie of one who had none; made when they are first needed. */
  mark: string | undefined;
  cookie: string | undefined;
  /** Its rules ready to be asked; targets with the same rules share them. */
  compiled: readonly CompiledRule[] | null;
  /** Round-robin with targeting: its latest turn, because visitors of different kinds take turns among different targets. */
  turn: number;
}

/** What the rules of a code's usable targets ask for, decided when the code is made ready. */
export interface Targeting {
  /** Usable targets with rules, and those that serve everybody; both in their order. */
  ruled: readonly Target[];
  open: readonly Target[];
  needs: RuleNeeds;
}

/** A live code ready to be answered. */
export interface Code extends StoredCode {
  owner: Owner;
  /** All enabled ones, as they are stored. */
  targets: StoredTarget[];
  /** Those a visitor may be sent to. */
  usable: readonly Target[];
  /** The only usable one, where there is just one and it serves everybody. */
  sole: Target | null;
  /** Null where no usable target has rules: then nobody asks who the visitor is. */
  targeting: Targeting | null;
  /** The fallback address where there is one that a visitor may be sent to. */
  fallback: string | null;
  fallback_reply: KeptReply | undefined;
  /** What runs on its pages. */
  snippets: PageSnippets | undefined;
  /** Round-robin: the position of the next target or, with targeting, how many turns were taken. */
  cursor: number;
  /** Something changed since it was read: read it again while the database can be reached. */
  is_stale: boolean;
}
