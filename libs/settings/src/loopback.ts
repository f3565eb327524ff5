/**
 * Whether all traffic stays on this machine: the address on which the process listens and the public address are both
 * on loopback.
 */
export const isOnLoopback = ({ host, publicUrl }: Readonly<{ host: string; publicUrl: string }>): boolean =>
  isLoopback(host) && isLoopback(new URL(publicUrl).hostname);

/** Whether a host in a setting or in an address is this machine. */
export const isLoopback = (host: string): boolean => loopbacks.includes(host);

const loopbacks = ['127.0.0.1', '::1', '[::1]', 'localhost'];
