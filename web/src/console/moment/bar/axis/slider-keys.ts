/** The number of bins (equal parts of the axis) in the picture. A press of PgUp or PgDn moves the slider by one bin. */
export const BINS = 120;

/**
 * How far a key press moves the slider: by a number of steps, or by a number of bins. A negative number moves towards
 * the past.
 */
type KeyedStep = Readonly<{ unit: 'step' | 'bin'; by: number }>;

type Pressed = Readonly<{ key: string; shiftKey: boolean; currentTarget: Element }>;

/**
 * How far a key press moves a slider; undefined for a key that does not move the slider. On a right-to-left page, time
 * also runs from right to left.
 */
export function keyedStep({ key, shiftKey, currentTarget }: Pressed): KeyedStep | undefined {
  if (key === 'PageDown') return { unit: 'bin', by: 1 };
  if (key === 'PageUp') return { unit: 'bin', by: -1 };
  const steps = shiftKey ? 10 : 1;
  if (key === forwardKey(currentTarget) || key === 'ArrowUp') return { unit: 'step', by: steps };
  if (key === backKey(currentTarget) || key === 'ArrowDown') return { unit: 'step', by: -steps };
  return undefined;
}

export const forwardKey = (element: Element) => (isRightToLeft(element) ? 'ArrowLeft' : 'ArrowRight');
export const backKey = (element: Element) => (isRightToLeft(element) ? 'ArrowRight' : 'ArrowLeft');
const isRightToLeft = (element: Element) => getComputedStyle(element).direction === 'rtl';
