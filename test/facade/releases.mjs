/** Whether the façade answers like release 24.2 or later, which differ from 23.10. */
export const isLaterThan2310 = ({ version }) => Number(version.split('.')[0]) > 23;
