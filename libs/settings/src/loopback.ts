/** Whether everything stays on this machine: the address that the process listens on, and the public one. */
export const isOnLoopback = ({ host, publicUrl }: Readonly<{ host: string; publicUrl: string }>): boolean =>
  isLoopback(host) && isLoopback(new URL(publicUrl).hostname);

/** Whether a host in a setting or an address is this machine. */
export const isLoopback = (host: string): boolean => loopbacks.includes(host);

const loopbacks = ['127.0.0.1', '::1', '[::1]', 'localhost'];
