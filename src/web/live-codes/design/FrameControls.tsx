import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { designLimits, frameKinds, type QrFrame } from '../../../qr/design.ts';
import { Choice, Color, type DesignProps, Group, Row } from './controls.tsx';

/** A line of text around the code. */
export function FrameControls({ design, change }: DesignProps) {
  const { t } = useTranslation();
  const { frame } = design;
  const set = (part: Partial<QrFrame>) => change({ frame: { ...frame, ...part } });
  const label = t('qr_code_list.design.frame_text');
  return (
    <Group title="qr_code_list.design.frame">
      <Choice
        label="qr_code_list.design.frame_kind"
        names="qr_code_list.design.frame_kinds"
        values={frameKinds}
        value={frame.kind}
        // A pill without words would be nothing, so it starts with the usual ones.
        onChange={(kind) => set({ kind, text: frame.text || t('qr_code_list.design.frame_example') })}
      />
      {frame.kind !== 'none' && (
        <>
          <Row label="qr_code_list.design.frame_text">
            <Input
              value={frame.text}
              maxLength={designLimits.frame_text_length}
              aria-label={label}
              onChange={(event) => set({ text: event.target.value })}
            />
          </Row>
          <Color label="qr_code_list.design.frame_color" value={frame.frame_color} onChange={(frame_color) => set({ frame_color })} />
          <Color label="qr_code_list.design.text_color" value={frame.text_color} onChange={(text_color) => set({ text_color })} />
        </>
      )}
    </Group>
  );
}
