import { Alert, Button, Progress } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CheckedIpData, checkedIpData, type UploadedIpData, type UsedIpData } from '../../../contract/visits/ip-data.ts';
import { bytesText } from '../../kit/bytes.ts';
import { api, uploadTo } from '../../kit/calls/api.ts';
import { failureText } from '../../kit/calls/failure.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Status, Time } from '../../kit/feedback.ts';
import { FileInput } from '../../kit/form/FileInput.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { CheckedList } from './CheckedList.tsx';

const day = (time: string): string => time.slice(0, 10);

/** One list in use, and what takes its place. */
export function IpList({ list }: { list: UsedIpData }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { file, family } = list;
  return (
    <section className="lc-panel" aria-labelledby={`ip-list-${family}`}>
      <header className="lc-panel-head">
        <h2 id={`ip-list-${family}`}>{t('ip_data.kind', { family })}</h2>
        <Status kind={list.is_old ? 'warning' : 'success'} label={t(list.is_old ? 'ip_data.is_old' : 'ip_data.is_current')} />
      </header>
      <dl className="lc-ip-facts">
        <Fact label="ip_data.source">{file ? file.name : t('ip_data.built_in')}</Fact>
        <Fact label="ip_data.data_date">
          {list.data_date}{' '}
          <span className="lc-soft">{t('ip_data.age', { number: format.exact(list.age_days), count: list.age_days })}</span>
        </Fact>
        <Fact label="ip_data.segments">{format.exact(file ? file.segments : list.ranges)}</Fact>
        {file && (
          <Fact label="ip_data.structure">{t('ip_data.structure_of', { version: file.structure, size: bytesText(file.bytes) })}</Fact>
        )}
        {file && (
          <Fact label="ip_data.uploaded">
            {file.uploaded_by_account} · <Time value={file.uploaded_at} />
          </Fact>
        )}
        {list.changed_at && (
          <Fact label="ip_data.changed">
            {list.changed_by_account} · <Time value={list.changed_at} />
          </Fact>
        )}
      </dl>
      <Allowed node="ip_data.update">
        <Exchange list={list} />
      </Allowed>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div>
      <dt>{t(label)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Uploads a newer list, or goes back to an earlier one. */
function Exchange({ list: { family, file, former } }: { list: UsedIpData }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [checked, setChecked] = useState<CheckedIpData | null>(null);
  const use = useAction(api.ip_data.use, { invalidates: ['home', 'checkout_ip'] });

  async function upload(chosen: Blob) {
    setFault(null);
    setShare(0);
    try {
      setChecked(await uploadTo(`/api/ip_data/file?family=${family}`, checkedIpData, chosen, { onProgress: setShare }));
    } catch (error) {
      setFault(failureText(error));
    }
    setShare(null);
  }
  const described = (one: UploadedIpData) => t('ip_data.described', { name: one.name, date: day(one.made_at) });
  const goBack = (target: UploadedIpData | null) =>
    confirm({
      title: t(target ? 'ip_data.restore_title' : 'ip_data.built_in_title', { family }),
      content: target ? t('ip_data.restore_content', { list: described(target) }) : t('ip_data.built_in_content'),
      confirm: target ? 'ip_data.restore' : 'ip_data.use_built_in',
      run: () => use.run({ family, id: target?.id ?? null }),
    });

  return (
    <>
      <div className="lc-ip-acts">
        <Button type="primary" loading={share !== null} onClick={() => input.current?.click()}>
          {t('ip_data.upload', { family })}
        </Button>
        {former && <Button onClick={() => void goBack(former)}>{t('ip_data.restore')}</Button>}
        {file && <Button onClick={() => void goBack(null)}>{t('ip_data.use_built_in')}</Button>}
      </div>
      <FileInput ref={input} accept=".xdb" onChosen={([chosen]) => chosen && void upload(chosen)} />
      {share !== null && <Progress percent={Math.round(share * 90)} status="active" aria-label={t('ip_data.checking')} />}
      {share !== null && <span className="lc-soft">{t(share < 1 ? 'ip_data.sending' : 'ip_data.checking')}</span>}
      {fault !== null && <Alert type="error" showIcon title={fault} role="alert" />}
      {former && <p className="lc-soft">{t('ip_data.former', { list: described(former) })}</p>}
      {checked && (
        <CheckedList
          checked={checked}
          family={family}
          isUsing={use.isRunning}
          use={async () => {
            if (await use.run({ family, id: checked.file.id })) setChecked(null);
          }}
          onClose={() => setChecked(null)}
        />
      )}
    </>
  );
}
