import { ruleDirections, type VisitRule } from '../../../../contract/visits/visit-rule.ts';
import { api, type Endpoint } from '../../../kit/calls/api.ts';
import { FormModal } from '../../../kit/dialogs/FormModal.tsx';
import { remoteOptions } from '../../../kit/options.ts';

const codeSource = remoteOptions(
  api.today_statistics.code_options,
  (search) => ({ search }),
  ({ id, name, file_name }) => ({ value: id, label: name || file_name }),
);
const groupSource = remoteOptions(
  api.group.options,
  (search) => ({ search }),
  ({ id, name }) => ({ value: id, label: name }),
);

const subjects = ['all', 'group', 'code'] as const;
const subjectOf = ({ live_code_id, group_id }: VisitRule) => (live_code_id !== null ? 'code' : group_id !== null ? 'group' : 'all');
const usualPercent = 50;
const known = (id: number | null | undefined, label: string | null | undefined) => (id ? [{ value: id, label: label ?? `#${id}` }] : []);

export function RuleForm({ rule, onClose }: { rule: VisitRule | undefined; onClose: () => void }) {
  return (
    <FormModal
      action={(rule ? api.visit_rule.update : api.visit_rule.add) as Endpoint<object, unknown>}
      title={rule ? 'visit_rule.edit' : 'visit_rule.add'}
      submit={rule ? 'common.save' : 'visit_rule.add'}
      initial={{
        about: rule ? subjectOf(rule) : 'all',
        live_code_id: rule?.live_code_id,
        group_id: rule?.group_id,
        direction: rule?.direction ?? 'falls',
        percent: rule?.percent ?? usualPercent,
      }}
      toInput={({ about, live_code_id, group_id, direction, percent }) => ({
        direction,
        percent,
        live_code_id: about === 'code' ? live_code_id : null,
        group_id: about === 'group' ? group_id : null,
        ...(rule ? { id: rule.id } : {}),
      })}
      invalidates={['shield_push']}
      fields={[
        {
          kind: 'radio',
          name: 'about',
          label: 'visit_rule.about',
          options: subjects.map((value) => ({ value, label: `visit_rule.about_value.${value}` })),
        },
        {
          kind: 'remote',
          name: 'live_code_id',
          label: 'common.field.live_code',
          source: codeSource,
          known: known(rule?.live_code_id, rule?.code_name),
          visible: ({ about }) => about === 'code',
        },
        {
          kind: 'remote',
          name: 'group_id',
          label: 'visit_rule.group',
          source: groupSource,
          known: known(rule?.group_id, rule?.group_name),
          visible: ({ about }) => about === 'group',
        },
        {
          kind: 'radio',
          name: 'direction',
          label: 'visit_rule.direction',
          options: ruleDirections.map((value) => ({ value, label: `visit_rule.direction_value.${value}` })),
        },
        { kind: 'number', name: 'percent', label: 'visit_rule.percent', help: 'visit_rule.percent_help', suffix: '%' },
      ]}
      onClose={onClose}
    />
  );
}
