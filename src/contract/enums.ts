/** The specification's enumerations: their numbers stand on the wire and in the database. */
export const accessModes = [1, 2] as const;
export const accessMode = { unlimited: 1, scan_only: 2 } as const;
export const visitRestrictions = [1, 2] as const;
export const visitRestriction = { none: 1, messenger_only: 2 } as const;
export const rotationModes = [1, 2, 3] as const;
export const rotationMode = { sequential: 1, random: 2, round_robin: 3 } as const;
export const jumpTypes = [1, 2, 3, 4, 5, 6] as const;
export const domainTypes = [1, 2, 3] as const;
export const domainType = { entry: 1, landing: 2, short: 3 } as const;
export const blockStatuses = [1, 2, 4] as const;
export const blockStatus = { normal: 1, blocked: 2, failed: 4 } as const;
export const yesNo = [1, 2] as const;
/** User disabled: 1 no, 2 yes. */
export const disabledStatus = { no: 1, yes: 2 } as const;
/** User: 1 there, 2 removed. */
export const userStatuses = [1, 2] as const;
export const userStatus = { present: 1, removed: 2 } as const;
/** Online status: 1 offline, 2 online. */
export const onlineStatuses = [1, 2] as const;
export const nodeTypes = [1, 2] as const;
export const nodeType = { route: 1, button: 2 } as const;
export const notifyStatuses = [1, 2] as const;
/** Message notify status: 1 unviewed, 2 viewed. */
export const notifyStatus = { unviewed: 1, viewed: 2 } as const;
export const messageAudiences = ['all', 'role', 'users'] as const;
/** What a message is, which its mark shows: the toast's colour and the sign in the list. */
export const messageKinds = ['info', 'reminder', 'alert'] as const;
export type MessageKind = (typeof messageKinds)[number];
/** What a message can be about: one live code, codes of a list, domains, what is watched, or a screen of the user's own. */
export const messagePlaces = [
  'live_code',
  'expiring_codes',
  'exhausted_codes',
  'codes_without_domain',
  'frozen_codes',
  'domains',
  'monitor',
  'snippets',
  'webhooks',
  'bots',
  'pushes',
  'withdrawals',
  'shares',
  'payments',
  'security',
  'order',
  'membership',
  'hosts',
  'visit_digest',
  'script_schedules',
  'script_run',
] as const;
export type MessagePlace = (typeof messagePlaces)[number];
export const operationStatuses = [1, 2, 3] as const;
/** Async operation: 1 in progress, 2 completed, 3 abnormal. */
export const operationStatus = { in_progress: 1, completed: 2, abnormal: 3 } as const;
/** Menu platform: 1 PC. */
export const platform = { pc: 1 } as const;

export const targetKinds = ['url', 'picture', 'text'] as const;
export type TargetKind = (typeof targetKinds)[number];
export const pageStyles = ['plain', 'card', 'brand'] as const;
export const roleKinds = ['super', 'administrator', 'agent', 'customer'] as const;
export type RoleKind = (typeof roleKinds)[number];

/**
 * What became of a visit, in the order in which they are decided; a row stores the position in this list, so it only ever grows at the end.
 * `entry` is the first hop of a code with a landing domain: answered and recorded, but the visit itself counts where its target is chosen.
 * `pressed` is a long press on a picture page, `forwarded` an address that a forward answered, `reported` a report of a code by a visitor;
 * `frozen` is decided just before `closed`. `program` is a passed request that no person made (`HEAD`, a crawler, a script): it sees what a
 * visitor would see, and takes neither a visit of a threshold nor a turn. `own` is the same of the
 * owner himself, from an address or by a device that he named.
 */
export const outcomes = [
  'passed',
  'unknown_host',
  'blocked_ip',
  'not_found',
  'closed',
  'owner_inactive',
  'not_scanned',
  'not_messenger',
  'exhausted',
  'entry',
  'pressed',
  'forwarded',
  'blocked_source',
  'frozen',
  'reported',
  'program',
  'own',
] as const;
export type Outcome = (typeof outcomes)[number];
/** Outcomes of requests that got what they asked for; of these only `passed` is a visit of a code. All others are refusals. */
export const grantedOutcomes = [
  'passed',
  'entry',
  'pressed',
  'forwarded',
  'reported',
  'program',
  'own',
] as const satisfies readonly Outcome[];
export type GrantedOutcome = (typeof grantedOutcomes)[number];
export const isRefusal = (outcome: Outcome): boolean => !(grantedOutcomes as readonly Outcome[]).includes(outcome);

/** What visitors may report a code for. */
export const reportReasons = ['fraud', 'gambling', 'pornography', 'infringement', 'malware', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];
export const maxReportCharacters = 500;
/** What administrators may freeze, so that its owner cannot switch it on again. */
export const freezables = ['code', 'domain', 'user'] as const;
export type Freezable = (typeof freezables)[number];

export const visitSources = ['messenger', 'messenger_enterprise', 'browser', 'app', 'bot'] as const;
export type VisitSource = (typeof visitSources)[number];
export const carriers = ['mobile', 'unicom', 'telecom', 'other'] as const;
export type Carrier = (typeof carriers)[number];
/** Operating systems that a target's rule can name, as a visit's `system` has them, lower case. */
export const ruleSystems = ['android', 'ios', 'harmonyos', 'windows', 'macos', 'linux', 'other'] as const;
export type RuleSystem = (typeof ruleSystems)[number];

/** The languages that the product brings complete, in the order in which they are offered at first. */
export const languages = ['zh-CN', 'zh-TW', 'en-US', 'vi-VN', 'th-TH', 'ja-JP'] as const;
export type BuiltInLanguage = (typeof languages)[number];
/** The code of a language: a built-in one, or one that operators added (`language_list`). */
export type Language = BuiltInLanguage | (string & {});
export const languageNames: Record<BuiltInLanguage, string> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
  'vi-VN': 'Tiếng Việt',
  'th-TH': 'ไทย',
  'ja-JP': '日本語',
};
export const isBuiltInLanguage = (code: unknown): code is BuiltInLanguage => languages.some((language) => language === code);
export const showStatuses = [1, 2] as const;
/** Display status: 1 shown, 2 hidden. */
export const showStatus = { shown: 1, hidden: 2 } as const;
/** Default language: 1 no, 2 yes. */
export const defaultFlag = { no: 1, yes: 2 } as const;
