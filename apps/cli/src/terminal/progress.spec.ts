import { bar, createProgress } from './progress';

describe('A progress bar', () => {
  it('shows how much of the work is done', () => {
    expect(bar('events', 0.25, '250 of 1000', 40)).toBe('events [###       ]  25 %  250 of 1000');
    expect(bar('events', 1, '1000 of 1000', 40)).toBe('events [#########] 100 %  1000 of 1000');
  });

  it('does not exceed its width even if the given total was too small', () => {
    expect(bar('events', 1.2, '12 of 12', 60)).toMatch(/^events \[#+\] 100 % {2}12 of 12$/);
  });

  it('does not show 100 % before the work is done', () => {
    expect(bar('events', 0.9999, '9999 of 10000', 60)).toContain(' 99 %');
  });

  it.each([5, 20, 30, 80, 300])('fits into %i columns', (columns) => {
    expect(bar('events', 0.123, '123456 of 1000000', columns).length).toBeLessThan(columns);
  });
});

describe('Progress of a command', () => {
  const shown = (isTTY: boolean) => {
    let [text, time] = ['', 0];
    const progress = createProgress({ isTTY, columns: 60, write: (more) => (text += more) }, () => time);
    const show = progress.begin('events', 10);
    show(1);
    show(2); // too soon after the last drawing to draw again
    time = 200;
    show(5);
    progress.end();
    return text;
  };

  it('is drawn on a single line at intervals, and is erased at the end', () => {
    // eslint-disable-next-line no-control-regex -- terminal codes are the expected output
    expect(shown(true)).toMatch(/^\r[^\r\n]* 10 %[^\r\n]*\r[^\r\n]* 50 %[^\r\n]*\r\x1b\[K$/);
  });

  it('is 100 % if there is no work, and shows the counted number if the given total was too small', () => {
    let text = '';
    const progress = createProgress({ isTTY: true, columns: 60, write: (more) => (text += more) });
    progress.begin('events', 0)(0);
    expect(text).toMatch(/\[#+\] 100 % {2}0 of 0/);
    progress.end();
    progress.begin('events', 10)(12);
    expect(text).toMatch(/\[#+\] 100 % {2}12 of 12/);
  });

  it('prints nothing if stderr is not a terminal', () => {
    expect(shown(false)).toBe('');
  });
});
