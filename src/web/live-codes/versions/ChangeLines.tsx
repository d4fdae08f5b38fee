import { Image, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CodeVersion, FieldChange, TargetChange } from '../../../contract/codes/code-version.ts';
import { codeField, fieldsInCells } from '../../../contract/codes/live-code-fields.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { fieldKeys } from '../../kit/undo/fieldKeys.ts';

/** Fields whose values are words of the list. */
const enumerations = new Map<string, string | undefined>([
  ...fieldsInCells('choice').map((field) => [field, codeField[field].words] as const),
  ['kind', 'target_kind'],
]);
const longest = 120;

/** One value of a field in words. */
function useValueWords() {
  const { t } = useTranslation();
  const { time, exact } = useFormat();
  return (field: string, value: FieldChange['before'], name: string | null): string => {
    if (name !== null) return name;
    if (value === null || value === '') return t('common.none');
    if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
    const enumeration = enumerations.get(field);
    if (enumeration) return t(`qr_code_list.${enumeration}.${String(value)}`);
    if (Array.isArray(value)) return t('code_version.items', { count: value.length });
    if (field === 'expires_at') return time(String(value));
    if (field === 'refill_hour') return t('common.hour', { hour: Number(value) });
    if (field.endsWith('_id')) return `#${String(value)}`;
    if (typeof value === 'number') return exact(value);
    const words = String(value);
    return words.length > longest ? `${words.slice(0, longest)}…` : words;
  };
}

function FieldLine({ change }: { change: FieldChange }) {
  const { t } = useTranslation();
  const words = useValueWords();
  return (
    <div className="lc-code-change">
      <dt>{t(fieldKeys(change.field))}</dt>
      <dd>
        <del>{words(change.field, change.before, change.before_name)}</del>
        <span aria-hidden> → </span>
        <ins>{words(change.field, change.after, change.after_name)}</ins>
      </dd>
    </div>
  );
}

const tagColors = { added: 'success', removed: 'error', changed: 'processing' } as const;

function TargetLine({ target }: { target: TargetChange }) {
  const { t } = useTranslation();
  const label = target.name || (target.kind === 'picture' ? '' : target.content);
  return (
    <li className="lc-code-change-target">
      <div className="lc-code-change-head">
        <Tag color={tagColors[target.change]}>{t(`code_version.target.${target.change}`)}</Tag>
        <span>{t('qr_code_list.statistics.target', { number: target.place })}</span>
        <span className="lc-soft lc-code-change-content" title={target.content}>
          {label}
        </span>
        {target.picture_url && (
          <Image src={target.picture_url} alt={t('qr_code_list.statistics.target', { number: target.place })} width={36} height={36} />
        )}
      </div>
      {target.changes.length > 0 && (
        <dl className="lc-code-changes">
          {target.changes.map((change) => (
            <FieldLine key={change.field} change={change} />
          ))}
        </dl>
      )}
    </li>
  );
}

/** What a version changed: fields before and after, targets that came, went and changed. */
export function ChangeLines({ version }: { version: CodeVersion }) {
  const { t } = useTranslation();
  const { changes, targets, reordered, design_changed, password } = version;
  return (
    <>
      {changes.length > 0 && (
        <dl className="lc-code-changes">
          {changes.map((change) => (
            <FieldLine key={change.field} change={change} />
          ))}
        </dl>
      )}
      {password && <p className="lc-code-change-note">{t(`code_version.password.${password}`)}</p>}
      {design_changed && <p className="lc-code-change-note">{t('code_version.design_changed')}</p>}
      {reordered && <p className="lc-code-change-note">{t('code_version.reordered')}</p>}
      {targets.length > 0 && (
        <ul className="lc-code-change-targets">
          {targets.map((target) => (
            <TargetLine key={`${target.change} ${target.id}`} target={target} />
          ))}
        </ul>
      )}
    </>
  );
}
