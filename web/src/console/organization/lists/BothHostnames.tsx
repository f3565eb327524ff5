/**
 * A hostname in its Unicode form and, if different, its ASCII form. The reason: letters of another script can look like
 * the letters of a known name.
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
