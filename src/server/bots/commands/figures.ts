import { and, desc, eq, notInArray, type SQL } from 'drizzle-orm';
import { startPage } from '../../../contract/content/home.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { lockedAmong } from '../../orders/over-quota.public.ts';
import { todayByCode, todaySummary } from '../../visits/visits.public.ts';
import { escapeHtml } from '../api/answers.ts';
import { type Asked, type Command, figure, heading, words } from './command.ts';

const topShown = 5;
const codesShown = 10;

const codesOf = ({ scope }: Asked): SQL | undefined => scope.sees(live_code.owner_id);
const timeOf = ({ now, settings }: Asked) => ({ now, time_zone: settings.time_zone });
const nameOf = ({ name, file_name }: { name: string; file_name: string }): string => escapeHtml(name || file_name);

/** The figures of the start page. */
export const today: Command = {
  nodes: startPage.nodes,
  async read(asked) {
    const { db, language } = asked;
    const { day, today: now, yesterday, top } = await todaySummary(db, asked.scope, timeOf(asked), topShown);
    const compared = (key: 'visits' | 'ips' | 'new_ips' | 'refused') =>
      words(language, key, { today: figure(language, now[key]), yesterday: figure(language, yesterday[key]) });
    return [
      heading(language, 'today_title', { day }),
      ...(['visits', 'ips', 'new_ips', 'refused'] as const).map(compared),
      ...(top.length > 0 ? ['', words(language, 'top_codes')] : []),
      ...top.map((code, index) => `${index + 1}. ${nameOf(code)} · ${figure(language, code.visits)}`),
    ].join('\n');
  },
};

type Code = { id: number; name: string; file_name: string; open: boolean; frozen_at: string | null };
const stateOf = ({ open, frozen_at }: Code): string => (frozen_at ? 'frozen' : open ? 'open' : 'closed');

/** The codes that were visited most today, and the newest where these are few. */
export const codes: Command = {
  nodes: ['qr_code_list', 'qr_code_list_admin'],
  async read(asked) {
    const { db, language } = asked;
    const own = and(codesOf(asked), eq(live_code.removed, false));
    const total = await db.$count(live_code, own);
    if (total === 0) return words(language, 'no_codes');
    const { top } = await todaySummary(db, asked.scope, timeOf(asked), codesShown);
    const ids = top.map(({ live_code_id }) => live_code_id);
    const columns = {
      id: live_code.id,
      name: live_code.name,
      file_name: live_code.file_name,
      open: live_code.open,
      frozen_at: live_code.frozen_at,
    };
    const visited = await db
      .select(columns)
      .from(live_code)
      .where(and(own, isOneOf(live_code.id, ids)));
    const newest = await db
      .select(columns)
      .from(live_code)
      .where(and(own, ids.length > 0 ? notInArray(live_code.id, ids) : undefined))
      .orderBy(desc(live_code.id))
      .limit(codesShown - visited.length);
    const rows: Code[] = [...visited.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)), ...newest];
    const counts = await todayByCode(
      db,
      rows.map(({ id }) => id),
      timeOf(asked),
    );
    const locked = await lockedAmong(
      rows.map(({ id }) => id),
      asked,
    );
    const line = (code: Code, index: number) => {
      const visits = figure(language, counts.get(code.id)?.visits ?? 0);
      const told = locked.has(code.id) ? words(language, 'figures_locked') : words(language, 'visits_today', { visits });
      return `${index + 1}. ${nameOf(code)} · ${told} · ${words(language, `code_${stateOf(code)}`)}`;
    };
    return [heading(language, 'codes_title', { number: figure(language, total) }), ...rows.map(line)].join('\n');
  },
};
