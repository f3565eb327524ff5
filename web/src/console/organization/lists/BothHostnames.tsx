/**
 * A hostname in its Unicode form and, if different, its ASCII form. The ASCII form helps against look-alike names:
 * letters of another script can look like the letters of a known name.
 */
export function BothHostnames({ hostname, unicode }: Readonly<{ hostname: string; unicode: string }>) {
  return (
    <>
      <bdi>{unicode}</bdi>
      {unicode !== hostname && (
        <>
          {' '}
          <code>{hostname}</code>
        </>
      )}
    </>
  );
}
