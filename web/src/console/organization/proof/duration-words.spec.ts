import { durationInWords } from './duration-words';

it.each([
  [3_600, 'en', '1 hour'],
  [5_400, 'en', '90 minutes'],
  [2 * 86_400, 'en', '2 days'],
  [61, 'en', '61 seconds'],
  [3_600, 'fi', '1 tunti'],
])(
  'A duration of %d seconds is shown in the largest unit that needs no fraction (%s: %s)',
  (seconds, locale, words) => {
    expect(durationInWords(seconds, locale)).toBe(words);
  },
);
