import type { Language } from '../../contract/enums.ts';
import type { LogRow } from '../../contract/system/log.ts';
import type { ReadRow } from './logs.list.ts';
import type { LogRules } from './logs.rules.ts';
import { type LogPayload, plainSentence, sentenceOf, titleOf } from './logs.sentence.ts';

/** What a template can name of an entry. */
export const payloadOf = (row: ReadRow, language: Language): LogPayload => ({
  id: row.id,
  at: row.at,
  type: row.type,
  title: titleOf(row.type, language),
  source: row.source,
  ip: row.ip,
  user: { id: row.user_id, account: row.user_account ?? '' },
  impersonator: row.impersonator_id === null ? null : { id: row.impersonator_id, account: row.impersonator_account ?? '' },
  content: row.content,
  before: row.changes?.before ?? null,
  after: row.changes?.after ?? null,
});

/** What happened, in the words of the type's rule or in ours. */
export function inWords(row: ReadRow, rules: LogRules, language: Language): string {
  const payload = payloadOf(row, language);
  const template = rules.ruleOf(row.type)?.template;
  return template ? sentenceOf(template, payload, language) : plainSentence(payload, language);
}

export function shownRow(row: ReadRow, { rules, language, sealed_to }: { rules: LogRules; language: Language; sealed_to: number }): LogRow {
  const { content: _content, changes: _changes, exact_at: _exact, ...shown } = row;
  return { ...shown, sentence: inWords(row, rules, language), sealed: row.id <= sealed_to };
}
