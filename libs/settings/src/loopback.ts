/** Whether everything stays on this machine: where it listens, and what people type. */
export const isOnLoopback = ({ host, publicUrl }: Readonly<{ host: string; publicUrl: string }>): boolean =>
  isLoopback(host) && isLoopback(new URL(publicUrl).hostname);

/** Whether a host is this machine, as it may be written in a setting or an address. */
export const isLoopback = (host: string): boolean => loopbacks.includes(host);

const loopbacks = ['127.0.0.1', '::1', '[::1]', 'localhost'];
