/** A hostname in both forms, where they differ: letters of other scripts can look like those of a known name. */
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
