/**
 * A hostname in its ASCII form and, if different, its Unicode form. Letters of another script can look like the letters
 * of a known name.
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
