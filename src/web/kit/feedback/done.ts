import i18next from 'i18next';
import { disabledStatus, showStatus } from '../../../contract/enums.ts';

type Fields = Readonly<Record<string, unknown>>;
type Verb = 'added' | 'saved' | 'removed' | 'enabled' | 'disabled' | 'shown' | 'hidden' | 'ranked' | 'restored';

const verbs: Readonly<Record<string, Verb>> = {
  add: 'added',
  copy: 'added',
  batch_update: 'saved',
  duplicate: 'added',
  remove: 'removed',
  update_sort: 'ranked',
  restore: 'restored',
};

/** Fields that only switch: what on and off are called, and which values are on. */
const switches: Readonly<Record<string, { on: Verb; off: Verb; isOn: (value: unknown) => boolean }>> = {
  enabled: { on: 'enabled', off: 'disabled', isOn: (value) => value === true },
  open: { on: 'enabled', off: 'disabled', isOn: (value) => value === true },
  disabled: { on: 'enabled', off: 'disabled', isOn: (value) => value === disabledStatus.no },
  display: { on: 'shown', off: 'hidden', isOn: (value) => value === showStatus.shown },
  show_status: { on: 'shown', off: 'hidden', isOn: (value) => value === showStatus.shown },
};
const whichRows: ReadonlySet<string> = new Set(['id', 'ids', 'code', 'version']);

/** What an update did that changes nothing but a switch. */
function switched(action: string, input: Fields): Verb | undefined {
  if (!action.startsWith('update')) return undefined;
  const [changed = '', ...further] = Object.keys(input).filter((key) => !whichRows.has(key));
  const field = further.length === 0 && Object.hasOwn(switches, changed) ? switches[changed] : undefined;
  return field && (field.isOn(input[changed]) ? field.on : field.off);
}

const verbOf = (action: string, input: Fields): Verb | undefined =>
  switched(action, input) ?? verbs[action] ?? (/^update(_|$)/.test(action) ? 'saved' : undefined);

/** Calls whose words are those of another one, or depend on the switch in their input. */
function actOf(group: string, action: string, { open, open_log, removed, paused, enabled }: Fields): string {
  const isMonitor = group === 'domain_monitor' || group === 'admin_domain_monitor';
  if (isMonitor) return `domain_monitor.${paused === undefined ? action : paused ? 'pause' : 'go_on'}`;
  if (action === 'update_channel' && enabled !== undefined) return `${group}.${enabled ? 'go_on' : 'pause'}`;
  if (action === 'update_remove' && removed === false) return `${group}.put_back`;
  if (action === 'clear_access_history') return `${group}.clear`;
  if (action.endsWith('restore_access_records')) return 'recover.restore';
  if (action === 'blacklist') return 'visitor.blacklist';
  if (action === 'update_open_log') return `${group}.${open_log ? 'log_on' : 'log_off'}`;
  if (action === 'oepn_all_status') return `${group}.${open ? 'all_on' : 'all_off'}`;
  if (group === 'administrators' || action === 'force_refresh_all')
    return `user_list.${action.replace('force_refresh_all', 'force_refresh')}`;
  return `${group === 'internal_code_grouping' ? 'group' : group}.${action}`;
}

const nameFields = ['account', 'name', 'title', 'host', 'network', 'url', 'path'];
const maxName = 40;

/** What a row is called, from what was sent and answered. */
function nameIn(...records: readonly Fields[]): string | undefined {
  for (const record of records) {
    for (const field of nameFields) {
      const value = record[field];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return undefined;
}

const cut = (name: string): string => (name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name);

/** To how many things a call was done: by its answer, else by what was sent. */
function numberOf(input: Fields, output: Fields): number {
  if (typeof output.affected === 'number') return output.affected;
  const sent = input.ids ?? input.ips;
  return Array.isArray(sent) ? sent.length : 1;
}

const recordOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

type Act = { group: string; action: string };

/** What an action does, and to which rows: a group with several kinds of them names the kind at the action's end. */
function rowsOf({ group, action }: Act): { rows: string; act: string } {
  const [, act, kind] = /^(add|update|remove)_(.+)$/.exec(action) ?? [];
  const rows = `${group}_${kind}`;
  return act && i18next.exists(`done.thing.${rows}`) ? { rows, act } : { rows: group, act: action };
}

/**
 * What a call did, in words: to what, by its name where it was one, and to how many. A call has words of its own below `done.act`, or those
 * of its kind; of one thing with a name those that end in `_named`. Words of a kind are a verb, and what its group's rows are called below `done.thing` and `done.number` (which may begin with a space).
 * @param name what the one row is called, where neither input nor answer tell
 */
export function doneText({ group, action }: Act, given: unknown, answered: unknown, name?: string): string {
  const [input, output] = [recordOf(given), recordOf(answered)];
  const count = numberOf(input, output);
  const own = `done.act.${actOf(group, action, input)}`;
  // Of several that were chosen it is not known which one was changed.
  const isOneChosen = !Array.isArray(input.ids) || input.ids.length === 1;
  const found = (isOneChosen ? name : undefined) ?? nameIn(output, input) ?? '';
  if (found !== '' && count === 1 && i18next.exists(`${own}_named`)) return i18next.t(`${own}_named`, { name: cut(found) });
  if (i18next.exists(own)) return i18next.t(own, { count, name: cut(found) });
  const { rows, act } = rowsOf({ group, action });
  const verb = verbOf(act, input);
  if (!verb || !i18next.exists(`done.thing.${rows}`)) return i18next.t('common.success');
  const thing = i18next.t(`done.thing.${rows}`);
  if (count === 0) return i18next.t('done.none', { thing });
  const one = found === '' ? thing : i18next.t('done.named', { thing, name: cut(found) });
  return i18next.t(`done.verb.${verb}`, { what: count === 1 ? one : i18next.t(`done.number.${rows}`, { count }) });
}
