import { keyedStep } from './slider-keys';

const pressed = (key: string, { shiftKey = false, direction = 'ltr' } = {}) => {
  const currentTarget = document.createElement('input');
  currentTarget.style.direction = direction;
  return keyedStep({ key, shiftKey, currentTarget });
};

describe('A key on the slider', () => {
  it.each([
    ['ArrowRight', false, { unit: 'step', by: 1 }],
    ['ArrowLeft', false, { unit: 'step', by: -1 }],
    ['ArrowUp', true, { unit: 'step', by: 10 }],
    ['ArrowLeft', true, { unit: 'step', by: -10 }],
    ['PageDown', false, { unit: 'bin', by: 1 }],
    ['PageUp', false, { unit: 'bin', by: -1 }],
    ['Home', false, undefined],
    ['a', false, undefined],
  ])('%s moves the slider by a number of steps or bins (with Shift: %p)', (key, shiftKey, step) => {
    expect(pressed(key, { shiftKey })).toEqual(step);
  });

  it('with an arrow to the left moves the slider towards the future on a right-to-left page', () => {
    expect(pressed('ArrowLeft', { direction: 'rtl' })).toEqual({ unit: 'step', by: 1 });
    expect(pressed('ArrowRight', { direction: 'rtl', shiftKey: true })).toEqual({ unit: 'step', by: -10 });
  });
});
