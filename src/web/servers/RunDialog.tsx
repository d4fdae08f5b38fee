import { Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Script } from '../../contract/system/script.ts';
import type { CommandField, Server } from '../../contract/system/server-list.ts';
import { api, type Endpoint } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import type { Values } from '../kit/form/contract.ts';
import { CodeBox } from './CodeBox.tsx';
import { RunServers, useRun } from './RunServers.tsx';
import { all, chooseScript, firstValues, Parameters, useServers, valuesOf, whereFields } from './runFields.tsx';
import { runPath } from './runStates.ts';

type Started = { run_id: number; operation_id: number };

function DryResult({ id }: { id: number }) {
  const { data: run } = useRun(id);
  return run ? <RunServers run={run} /> : null;
}

/** Shows what would be run where, and has the hosts check its syntax, before anything is changed. */
function DryRun<I extends object>({ action, inputOf }: { action: Endpoint<I, Started>; inputOf: (values: Values) => Values }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const [id, setId] = useState<number | null>(null);
  const dry = useAction(action, { success: false });
  async function run() {
    const { password: _password, totp: _totp, ...values } = inputOf(form.getFieldsValue(true) as Values);
    const started = await dry.run({ ...values, dry: true } as unknown as I);
    if (started) setId(started.run_id);
  }
  return (
    <div className="lc-field-wide lc-run-dry">
      <Button loading={dry.isRunning} onClick={() => void run()}>
        {t('script.dry_run')}
      </Button>
      <span className="lc-soft">{t('script.dry_help')}</span>
      {id !== null && <DryResult id={id} />}
    </div>
  );
}

type RunDialogProps = { script?: Script | undefined; server_ids?: readonly number[]; onClose: () => void };

/** Chooses a script, its parameters and where it is run. */
export function RunDialog({ script, server_ids = [], onClose }: RunDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const servers = useServers();
  const { data } = useCall(api.script.inquire, all);
  const scripts = script ? [script] : (data?.content ?? []);
  const inputOf = ({ values, ...rest }: Values): Values => {
    const chosen = script ?? scripts.find(({ id }) => id === rest.id);
    return { ...rest, ...(chosen ? { id: chosen.id } : {}), values: valuesOf(chosen, values) };
  };
  return (
    <ProvedModal
      action={api.script.run}
      title={script ? t('script.run_named', { name: script.name }) : 'script.run'}
      submit="script.run"
      success="script.started"
      initial={{ id: script?.id, server_ids, parallel: 3, stop_on_failure: true, values: firstValues(script) }}
      toInput={inputOf}
      fields={[...(script ? [] : [chooseScript('id', scripts)]), ...whereFields(servers)]}
      invalidates={['script', 'async_operations']}
      onDone={({ run_id }) => void navigate(runPath(run_id))}
      onClose={onClose}
    >
      <Parameters field="id" scripts={scripts} begins={script?.id} />
      <DryRun action={api.script.run} inputOf={inputOf} />
    </ProvedModal>
  );
}

export type UpdateKind = 'update_front' | 'update_back' | 'update_code';
const commandOf: Record<UpdateKind, CommandField> = {
  update_front: 'front_command',
  update_back: 'back_command',
  update_code: 'code_command',
};

/** What each of the chosen servers would run. */
function Commands({ servers, field }: { servers: readonly Server[]; field: CommandField }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const ids = (Form.useWatch('server_ids', form) as number[] | undefined) ?? [];
  const chosen = servers.filter(({ id }) => ids.includes(id));
  // Servers that run the same are named together.
  return (
    <div className="lc-field-wide lc-run-commands">
      {[...Map.groupBy(chosen, (server) => server[field].trim())].map(([command, those]) => {
        const name = those.map((server) => server.name).join(t('common.comma'));
        return (
          <div key={command}>
            <h3>{t('script.runs_on', { name })}</h3>
            <CodeBox label={name}>{command}</CodeBox>
          </div>
        );
      })}
    </div>
  );
}

/** Updates servers: shows the commands of each before they are run. */
export function UpdateDialog({ kind, server_ids, onClose }: { kind: UpdateKind; server_ids: readonly number[]; onClose: () => void }) {
  const navigate = useNavigate();
  const servers = useServers();
  return (
    <ProvedModal
      action={api.server_list[kind]}
      title={`menu.button.${kind}`}
      submit={`menu.button.${kind}`}
      success="script.started"
      initial={{ server_ids, parallel: 1, stop_on_failure: true }}
      fields={whereFields(servers)}
      invalidates={['script', 'async_operations']}
      onDone={({ run_id }) => void navigate(runPath(run_id))}
      onClose={onClose}
    >
      <Commands servers={servers} field={commandOf[kind]} />
      <DryRun action={api.server_list[kind]} inputOf={(values) => values} />
    </ProvedModal>
  );
}
