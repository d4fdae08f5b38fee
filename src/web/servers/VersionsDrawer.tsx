import { Button, Select, Skeleton } from 'antd';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Script, ScriptVersion } from '../../contract/system/script.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Failure } from '../kit/feedback.ts';
import { useFormat } from '../kit/texts/format.ts';
import { CodeBox } from './CodeBox.tsx';
import { diffLines } from './diff.ts';

const marks = { same: ' ', removed: '-', added: '+' } as const;

/** All that makes a version what it runs, as one text. */
const textOf = ({ body, timeout_seconds, parameters }: ScriptVersion, t: TFunction): string =>
  [
    t('script.timeout_of', { number: timeout_seconds }),
    ...parameters.map(
      ({ name, label, type, required, initial, choices }) =>
        `${name}: ${t(`script.type_${type}`)}${required ? ` · ${t('script.required')}` : ''}${label ? ` · ${label}` : ''}${choices.length > 0 ? ` · ${choices.join(' | ')}` : ''}${initial ? ` = ${initial}` : ''}`,
    ),
    '',
    body,
  ].join('\n');

function Diff({ before, after }: { before: ScriptVersion | undefined; after: ScriptVersion }) {
  const { t } = useTranslation();
  const lines = diffLines(before ? textOf(before, t) : '', textOf(after, t)).filter(
    ({ text }, index) => before || index > 0 || text !== '',
  );
  return (
    <CodeBox label={t('script.differences')}>
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and are drawn anew as a whole.
        <span key={index} className={`lc-script-line lc-script-line-${kind}`}>
          {`${marks[kind]} ${text}\n`}
        </span>
      ))}
    </CodeBox>
  );
}

type VersionsDrawerProps = { script: Script; onRestore: (version: ScriptVersion) => void; onClose: () => void };

/** What a script was before, two versions side by side, and the way back to one. */
export function VersionsDrawer({ script, onRestore, onClose }: VersionsDrawerProps) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const { data, error, refetch } = useCall(api.script.versions, { id: script.id, page_size: 200 });
  const versions = data?.content ?? [];
  const [chosen, setChosen] = useState<{ from?: number; to?: number }>({});
  const after = versions.find(({ version }) => version === chosen.to) ?? versions[0];
  const before = versions.find(({ version }) => version === (chosen.from ?? (after?.version ?? 0) - 1));
  const options = versions.map(({ version, account, created_at }) => ({
    value: version,
    label: `${t('script.version', { number: version })} · ${time(created_at)}${account ? ` · ${account}` : ''}`,
  }));
  const isOld = after !== undefined && after.version !== script.version;
  return (
    <Drawer open size={960} title={t('script.versions_of', { name: script.name })} onClose={onClose}>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      {after && (
        <div className="lc-script-versions">
          <div className="lc-script-compare">
            {versions.length > 1 && (
              <Select
                aria-label={t('script.compare_from')}
                value={before?.version}
                placeholder={t('script.compare_from')}
                options={options}
                onChange={(from) => setChosen({ ...chosen, from })}
              />
            )}
            <Select
              aria-label={t('script.compare_to')}
              value={after.version}
              options={options}
              onChange={(to) => setChosen({ ...chosen, to })}
            />
            {isOld && (
              <Allowed node="script.update">
                <Button onClick={() => onRestore(after)}>{t('script.restore', { number: after.version })}</Button>
              </Allowed>
            )}
          </div>
          <Diff before={before} after={after} />
        </div>
      )}
    </Drawer>
  );
}
