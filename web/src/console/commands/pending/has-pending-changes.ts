/** Whether this tab has a change whose outcome is open (`pending-changes.ts`). */
export function hasPendingChanges(): boolean {
  try {
    return Object.keys(sessionStorage).some((name) => name.startsWith('charter-pending-changes'));
  } catch {
    return false;
  }
}
