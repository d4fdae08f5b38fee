import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { cornerDotStyles, cornerStyles, designLimits, dotStyles, errorLevels, type QrForeground } from '../../../qr/design.ts';
import { Amount, Choice, Color, type DesignProps, Group, Row } from './controls.tsx';

const foregroundKinds = ['solid', 'gradient'] as const;

/** The foreground in the other kind, with the colours it has now. */
function foregroundOf(kind: QrForeground['kind'], present: QrForeground): QrForeground {
  if (kind === present.kind) return present;
  if (present.kind === 'gradient') return { kind: 'solid', color: present.from };
  return { kind: 'gradient', from: present.color, to: '#a21caf', angle: 45 };
}

export function ColorControls({ design, change }: DesignProps) {
  const { foreground, background, corner_color } = design;
  const isClear = background === 'transparent';
  return (
    <Group title="qr_code_list.design.colors">
      <Choice
        label="qr_code_list.design.foreground"
        names="qr_code_list.design.foregrounds"
        values={foregroundKinds}
        value={foreground.kind}
        onChange={(kind) => change({ foreground: foregroundOf(kind, foreground) })}
      />
      {foreground.kind === 'solid' ? (
        <Color
          label="qr_code_list.design.dot_color"
          value={foreground.color}
          onChange={(color) => change({ foreground: { ...foreground, color } })}
        />
      ) : (
        <>
          <Color
            label="qr_code_list.design.from"
            value={foreground.from}
            onChange={(from) => change({ foreground: { ...foreground, from } })}
          />
          <Color label="qr_code_list.design.to" value={foreground.to} onChange={(to) => change({ foreground: { ...foreground, to } })} />
          <Amount
            label="qr_code_list.design.angle"
            min={0}
            max={180}
            step={15}
            value={foreground.angle}
            words={`${foreground.angle}°`}
            onChange={(angle) => change({ foreground: { ...foreground, angle } })}
          />
        </>
      )}
      <Color
        label="qr_code_list.design.corner_color"
        value={corner_color}
        fallback={foreground.kind === 'solid' ? foreground.color : foreground.from}
        onChange={(color) => change({ corner_color: color })}
        onClear={() => change({ corner_color: null })}
        clearLabel="qr_code_list.design.as_dots"
      />
      <Color
        label="qr_code_list.design.background"
        value={isClear ? null : background}
        onChange={(color) => change({ background: color })}
        onClear={() => change({ background: 'transparent' })}
        clearLabel="qr_code_list.design.transparent"
      />
    </Group>
  );
}

export function ShapeControls({ design, change }: DesignProps) {
  return (
    <Group title="qr_code_list.design.shapes">
      <Choice
        label="qr_code_list.design.dot_style"
        names="qr_code_list.design.shape"
        values={dotStyles}
        value={design.dot_style}
        onChange={(dot_style) => change({ dot_style })}
      />
      <Choice
        label="qr_code_list.design.corner_style"
        names="qr_code_list.design.shape"
        values={cornerStyles}
        value={design.corner_style}
        onChange={(corner_style) => change({ corner_style })}
      />
      <Choice
        label="qr_code_list.design.corner_dot_style"
        names="qr_code_list.design.shape"
        values={cornerDotStyles}
        value={design.corner_dot_style}
        onChange={(corner_dot_style) => change({ corner_dot_style })}
      />
    </Group>
  );
}

export function ReliabilityControls({ design, change }: DesignProps) {
  const { t } = useTranslation();
  return (
    <Group title="qr_code_list.design.reliability">
      <Row label="qr_code_list.design.error_level">
        <Segmented
          value={design.error_level}
          onChange={(error_level) => change({ error_level })}
          options={errorLevels.map((level) => ({ value: level, label: t(`qr_code_list.design.error_levels.${level}`) }))}
        />
      </Row>
      <Amount
        label="qr_code_list.design.margin"
        {...designLimits.margin}
        value={design.margin}
        words={t('qr_code_list.design.modules', { count: design.margin })}
        onChange={(margin) => change({ margin })}
      />
    </Group>
  );
}
