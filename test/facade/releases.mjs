/** Whether the façade answers like a release after 23.10, that is, 24.2 or later. */
export const isLaterThan2310 = ({ version }) => Number(version.split('.')[0]) > 23;
