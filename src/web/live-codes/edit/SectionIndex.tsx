import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SectionName, sectionId, sectionNames } from './Section.tsx';

/** As long as a smooth scroll takes at most. */
const scrollMilliseconds = 900;

/** Follows which section stands at the top of the window; one that was chosen counts, even if the page ends before it gets there. */
function useCurrentSection(): [SectionName, (name: SectionName) => void] {
  const [current, setCurrent] = useState<SectionName>('basics');
  const heldUntil = useRef(0);
  useEffect(() => {
    const inSight = new Set<SectionName>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const name = sectionNames.find((candidate) => sectionId(candidate) === entry.target.id);
          if (!name) continue;
          if (entry.isIntersecting) inSight.add(name);
          else inSight.delete(name);
        }
        const first = sectionNames.find((name) => inSight.has(name));
        if (first && Date.now() > heldUntil.current) setCurrent(first);
      },
      { rootMargin: '-15% 0px -55% 0px' },
    );
    for (const name of sectionNames) {
      const element = document.getElementById(sectionId(name));
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, []);
  function choose(name: SectionName) {
    heldUntil.current = Date.now() + scrollMilliseconds;
    setCurrent(name);
  }
  return [current, choose];
}

/** The page's sections: a click brings one into sight. */
export function SectionIndex() {
  const { t } = useTranslation();
  const [current, choose] = useCurrentSection();
  return (
    <nav className="lc-code-index" aria-label={t('set_qr_code.index')}>
      {sectionNames.map((name) => (
        <button
          key={name}
          type="button"
          className="lc-code-index-entry"
          aria-current={name === current ? 'true' : undefined}
          onClick={() => {
            const section = document.getElementById(sectionId(name));
            choose(name);
            section?.scrollIntoView({ behavior: 'smooth', block: 'start' });
            section?.focus({ preventScroll: true });
          }}
        >
          {t(`set_qr_code.sections.${name}.title`)}
        </button>
      ))}
    </nav>
  );
}
